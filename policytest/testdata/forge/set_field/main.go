// The empty admission, pointed at a decision point that never decided.
package main

import "earshot/policy"

func main() {
	var a policy.Admitted
	a.point = new(policy.Point) // want: a.point undefined (cannot refer to unexported field point)
}
