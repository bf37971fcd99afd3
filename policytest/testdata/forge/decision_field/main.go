// One more admission for a decision that was made.
package main

import "earshot/policy"

func add(d *policy.Decision, a policy.Admitted) {
	d.admitted = append(d.admitted, a) // want: d.admitted undefined (type *policy.Decision has no field or method admitted, but does have method Admitted)
}

func main() { add(new(policy.Decision), policy.Admitted{}) }
