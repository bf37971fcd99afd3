// A decision written down with an admission of its own.
package main

import "earshot/policy"

func main() {
	_ = policy.Decision{admitted: make([]policy.Admitted, 1)} // want: cannot refer to unexported field admitted in struct literal of type policy.Decision
}
