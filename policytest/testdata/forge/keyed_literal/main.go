// An admission written down field by field.
package main

import "earshot/policy"

func main() {
	_ = policy.Admitted{position: 1} // want: cannot refer to unexported field position in struct literal of type policy.Admitted
}
