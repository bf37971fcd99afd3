// A struct with the same fields, converted to an admission.
package main

import "earshot/policy"

type twin struct {
	point    *policy.Point
	decision *policy.Decision
	position int
}

func main() {
	_ = policy.Admitted(twin{point: new(policy.Point)}) // want: cannot convert twin{…} (value of struct type twin) to type policy.Admitted
}
