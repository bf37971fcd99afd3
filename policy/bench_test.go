package policy_test

import (
	"fmt"
	"testing"

	"earshot/policy"
)

// BenchmarkDecide reports the cost of one decision without a log: five viewers, audiences of twenty,
// of which seven in ten cover the viewers.
func BenchmarkDecide(b *testing.B) {
	for _, n := range []int{1, 10, 100} {
		b.Run(fmt.Sprintf("candidates=%d", n), func(b *testing.B) {
			bundle, err := policy.EmbeddedBundle()
			if err != nil {
				b.Fatal(err)
			}
			p := newPoint(b, bundle, &memory{})
			req := policy.Request{Turn: turn(people(0, 5)...)}
			for i := range n {
				from := 0
				if i%10 >= 7 {
					from = 1
				}
				c := item(fmt.Sprintf("item-%d", i), policy.Principals(people(from, from+20)...))
				req.Candidates = append(req.Candidates, c)
			}
			for b.Loop() {
				d, err := p.Decide(b.Context(), req)
				if err != nil {
					b.Fatal(err)
				}
				if admitted, _ := d.Counts(); admitted == 0 {
					b.Fatal("nothing admitted")
				}
			}
		})
	}
}

// people returns the names with numbers from first up to last, last left out.
func people(first, last int) []string {
	var names []string
	for i := first; i < last; i++ {
		names = append(names, fmt.Sprintf("user:person-%04d@example", i))
	}
	return names
}
