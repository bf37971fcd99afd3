// An admission written down field by field.
package main

import "earshot/policy"

func main() {
	_ = policy.Admitted{itemID: "m1"} // want: cannot refer to unexported field itemID in struct literal of type policy.Admitted
}
