// A struct with the same fields, converted to an admission.
package main

import (
	"time"

	"earshot/policy"
)

type twin struct {
	point         *policy.Point
	decisionID    string
	decidedAt     time.Time
	viewersDigest string
	itemID        string
	contentDigest string
	obligations   []string
}

func main() {
	_ = policy.Admitted(twin{point: new(policy.Point)}) // want: cannot convert twin{…} (value of struct type twin) to type policy.Admitted
}
