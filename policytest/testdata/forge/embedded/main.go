// A type that embeds an admission has its methods and overrides one. It is no admission.
package main

import "earshot/policy"

type mine struct{ policy.Admitted }

func (mine) Valid(*policy.Point) bool { return true }

func assemble(...policy.Admitted) {}

func main() {
	assemble(mine{}) // want: cannot use mine{} (value of struct type mine) as policy.Admitted value in argument to assemble
}
