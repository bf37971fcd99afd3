package seal_test

import (
	"context"
	"crypto/ed25519"
	"fmt"
	"testing"
	"time"

	"earshot/decisionlog"
	"earshot/policy"
)

// benchmarkItems returns a hundred items for twenty people each, with a digest, sealed and not. The
// sealed ones state every label, as a store hands them back.
func benchmarkItems(b *testing.B, d *desk) (sealed, plain []policy.Candidate) {
	b.Helper()
	for i := range 100 {
		members := []string{"user:ann"}
		for p := range 19 {
			members = append(members, fmt.Sprintf("user:person-%04d@example", i+p))
		}
		c := item(fmt.Sprintf("item-%d", i))
		c.Audience, c.Sources = policy.Principals(members...), nil
		plain = append(plain, c)
	}
	return d.issue(b, plain...), plain
}

// contest is the least time that each of several ways took. Taken in turns, and the least of many, it
// says little of what else the machine had to do.
type contest []time.Duration

func (c contest) run(way int, do func()) {
	start := time.Now()
	do()
	if took := time.Since(start); c[way] == 0 || took < c[way] {
		c[way] = took
	}
}

func (c contest) ratio(way, to int) float64 { return c[way].Seconds() / c[to].Seconds() }

// BenchmarkDecideSealed compares a decision of a hundred sealed candidates, seen before, with the same
// one without seals. It reports how many times as long the first takes, with the labels stated
// ("x-plain") and with all of them left to a log on disk ("x-plain-bare").
func BenchmarkDecideSealed(b *testing.B) {
	d := newDesk(b)
	log, err := decisionlog.Open(b.Context(), decisionlog.Config{Dir: b.TempDir()})
	if err != nil {
		b.Fatal(err)
	}
	defer log.Close()
	d.kept = log
	d.forget(b)
	sealed, plain := benchmarkItems(b, d)
	var left []policy.Candidate
	for _, c := range sealed {
		left = append(left, bare(c))
	}
	d.decide(b, sealed...)
	took := make(contest, 3)
	for b.Loop() {
		for way, candidates := range [][]policy.Candidate{plain, sealed, left} {
			took.run(way, func() {
				if admitted, _ := d.decide(b, candidates...).Counts(); admitted != len(candidates) {
					b.Fatal("not all admitted")
				}
			})
		}
	}
	b.ReportMetric(took.ratio(1, 0), "x-plain")
	b.ReportMetric(took.ratio(2, 0), "x-plain-bare")
}

// BenchmarkVerifyCold compares a hundred seals that were never seen with a hundred verifications of
// Ed25519 by themselves. It reports how many times as long it takes to verify them ("x-ed25519"), and
// with the digests of the stated labels, which is all that a decision adds ("x-ed25519-compared").
func BenchmarkVerifyCold(b *testing.B) {
	d := newDesk(b)
	sealed, _ := benchmarkItems(b, d)
	message := []byte(sealed[0].Seal)
	signature := ed25519.Sign(d.signer.private, message)
	verify := func(c *policy.Candidate) policy.Sealed {
		s, err := d.Verify(context.Background(), c.Seal)
		if err != nil {
			b.Fatal(err)
		}
		return s
	}
	took := make(contest, 3)
	for b.Loop() {
		took.run(0, func() {
			for range sealed {
				if !ed25519.Verify(d.signer.key.Public, message, signature) {
					b.Fatal("does not verify")
				}
			}
		})
		d.forget(b)
		took.run(1, func() {
			for i := range sealed {
				verify(&sealed[i])
			}
		})
		d.forget(b)
		took.run(2, func() {
			for i := range sealed {
				c := &sealed[i]
				s := verify(c)
				if policy.AudienceDigest(c.Audience) != s.AudienceDigest || policy.SourcesDigest(c.Sources) != s.SourcesDigest {
					b.Fatal("not the sealed labels")
				}
			}
		})
	}
	b.ReportMetric(took.ratio(1, 0), "x-ed25519")
	b.ReportMetric(took.ratio(2, 0), "x-ed25519-compared")
}
