package decisionlog_test

import (
	"flag"
	"fmt"
	"testing"
	"time"

	"earshot/decisionlog"
	"earshot/policy"
)

var benchRows = flag.Uint64("rows", 100_000, "how many decisions the log of BenchmarkExposures has")

// BenchmarkExposures measures the first page of exposure questions, warm, over -rows decisions:
//
//	go test ./decisionlog -run '^$' -bench Exposures -args -rows 10000000
//
// The log is written once and takes some minutes and about 1 KB a decision.
func BenchmarkExposures(b *testing.B) {
	l := open(b, decisionlog.Config{Dir: b.TempDir()})
	for i := range 1000 {
		e := numbered(i, 2)
		turn := &e.Request.Turn
		turn.Viewers = sorted("user:ben", fmt.Sprintf("user:guest-%d", i%250))
		turn.Agent, turn.Channel = fmt.Sprintf("agent:%d", i%7), fmt.Sprintf("slack:C%d", i%40)
		e.Viewers = policy.Viewers{Known: true, Present: turn.Viewers, Digest: "sha256:feed"}
		record(b, l, e)
	}
	began := time.Now()
	if err := l.Multiply(b.Context(), *benchRows); err != nil {
		b.Fatal(err)
	}
	b.Logf("%d decisions written in %s", *benchRows, time.Since(began).Round(time.Second))

	early, late := start.Add(time.Hour), start.Add(2*time.Hour)
	for name, q := range map[string]decisionlog.ExposureQuery{
		"person":          {Principal: "user:guest-7"},
		"everybody":       {Principal: "user:ben"},
		"long ago":        {Principal: "user:guest-7", Query: decisionlog.Query{From: early, To: late}},
		"person, agent":   {Principal: "user:guest-7", Query: decisionlog.Query{Agent: "agent:3", Channel: "slack:C7"}},
		"agent elsewhere": {Principal: "user:guest-7", Query: decisionlog.Query{Channel: "slack:C8"}},
		"item":            {Query: decisionlog.Query{Item: "item-7"}},
		"item, person":    {Query: decisionlog.Query{Item: "item-7", Viewer: "user:guest-7"}},
		"thousand":        {Principal: "user:guest-7", Query: decisionlog.Query{Limit: decisionlog.MaxLimit}},
	} {
		b.Run(name, func(b *testing.B) {
			var page decisionlog.ExposurePage
			for b.Loop() {
				var err error
				if page, err = l.Exposures(b.Context(), q); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(len(page.Exposures)), "exposures")
		})
	}
}
