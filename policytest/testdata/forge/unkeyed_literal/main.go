// An admission written down without the names of its fields.
package main

import (
	"time"

	"earshot/policy"
)

func main() {
	_ = policy.Admitted{
		nil,         // want: implicit assignment to unexported field point in struct literal of type policy.Admitted
		"",          // want: implicit assignment to unexported field decisionID in struct literal of type policy.Admitted
		time.Time{}, // want: implicit assignment to unexported field decidedAt in struct literal of type policy.Admitted
		"",          // want: implicit assignment to unexported field viewersDigest in struct literal of type policy.Admitted
		"m1",        // want: implicit assignment to unexported field itemID in struct literal of type policy.Admitted
		"",          // want: implicit assignment to unexported field contentDigest in struct literal of type policy.Admitted
		nil,         // want: implicit assignment to unexported field obligations in struct literal of type policy.Admitted
	}
}
