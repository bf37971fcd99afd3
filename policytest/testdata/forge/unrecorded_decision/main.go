// The part of Decide that comes before the record.
package main

import (
	"context"

	"earshot/policy"
)

func main() {
	p := new(policy.Point)
	_, _ = p.decide(context.Background(), policy.Request{}) // want: p.decide undefined (type *policy.Point has no field or method decide, but does have method Decide)
}
