// A decision point whose recorder is replaced after it was made.
package main

import "earshot/policy"

func main() {
	p := new(policy.Point)
	p.config.Recorder = nil // want: p.config undefined (cannot refer to unexported field config)
}
