// A decision point with an engine of one's own that admits everything.
package main

import "earshot/policy"

type generous struct{}

func (generous) Revision() string { return "" }

func main() {
	_, _ = policy.NewPoint(policy.Config{Engine: generous{}}) // want: cannot use generous{} (value of struct type generous) as *policy.Engine value in struct literal
}
