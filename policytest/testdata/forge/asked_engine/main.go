// The engine asked past the decision point, without a record.
package main

import (
	"context"

	"earshot/policy"
)

func main() {
	_ = new(policy.Engine).evaluate(context.Background(), new(policy.Entry)) // want: new(policy.Engine).evaluate undefined (cannot refer to unexported method evaluate)
}
