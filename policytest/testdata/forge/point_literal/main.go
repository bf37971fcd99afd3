// A decision point that was not made by NewPoint, with whatever config suits.
package main

import "earshot/policy"

func main() {
	_ = policy.Point{config: policy.Config{}} // want: cannot refer to unexported field config in struct literal of type policy.Point
}
