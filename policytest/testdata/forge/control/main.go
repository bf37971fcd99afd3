// This program compiles: all that it does with an admission is allowed to everybody. It stands
// beside the others so that a tree in which nothing compiles does not pass for a safe one.
package main

import (
	"fmt"

	"earshot/policy"
)

func main() {
	var nothing policy.Admitted
	fmt.Println(nothing.Valid(nil), nothing.ItemID())
}
