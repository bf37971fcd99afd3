// A type with all methods of an admission is no admission, since Admitted is no interface.
package main

import (
	"time"

	"earshot/policy"
)

type lookalike struct{}

func (lookalike) Valid(*policy.Point) bool { return true }
func (lookalike) DecisionID() string       { return "d1" }
func (lookalike) DecidedAt() time.Time     { return time.Time{} }
func (lookalike) ViewersDigest() string    { return "" }
func (lookalike) ItemID() string           { return "m1" }
func (lookalike) ContentDigest() string    { return "" }
func (lookalike) Obligations() []string    { return nil }

func main() {
	var _ policy.Admitted = lookalike{} // want: cannot use lookalike{} (value of struct type lookalike) as policy.Admitted value in variable declaration
}
