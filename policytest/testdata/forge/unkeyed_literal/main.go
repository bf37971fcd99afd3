// An admission written down without the names of its fields.
package main

import "earshot/policy"

func main() {
	_ = policy.Admitted{
		nil, // want: implicit assignment to unexported field point in struct literal of type policy.Admitted
		nil, // want: implicit assignment to unexported field decision in struct literal of type policy.Admitted
		0,   // want: implicit assignment to unexported field position in struct literal of type policy.Admitted
	}
}
