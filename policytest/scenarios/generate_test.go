package scenarios_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"testing"

	"earshot/policytest/scenarios"
)

// TestGenerateIsRepeatable compares the published suite with the one that was published, and draws
// others: the families must hold for any seed.
func TestGenerateIsRepeatable(t *testing.T) {
	render := func(seed uint64) string {
		all, err := scenarios.Generate(seed)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		hash := sha256.New()
		for _, s := range all {
			body, err := s.World.Body()
			if err != nil {
				t.Fatalf("seed %d: %s: %v", seed, s.Name, err)
			}
			fmt.Fprintf(hash, "%s %q %q %q %q %v %s\n", s.Name, s.Flow, s.Query, s.Asker, s.Channel, s.Facts, body)
		}
		return hex.EncodeToString(hash.Sum(nil))
	}
	const published = "96d3f2d8c869c02acf731fa1ba0ac78234375d7f641209a5eabf3983feb05730"
	if got := render(scenarios.Seed); got != published {
		t.Errorf("the published suite has the digest %s, not %s", got, published)
	}
	seen := map[string]uint64{}
	for seed := range uint64(50) {
		digest := render(seed)
		if other, ok := seen[digest]; ok {
			t.Errorf("the seeds %d and %d give one suite", other, seed)
		}
		seen[digest] = seed
	}
}

// TestScenariosDiffer counts how many scenarios differ in what a decision point has to do: in the
// doubts about those who listen, or in what is expected of items of what form. Names, topics and
// how many people there are do not count. The package's documentation states the number.
func TestScenariosDiffer(t *testing.T) {
	all, err := scenarios.Generate(scenarios.Seed)
	if err != nil {
		t.Fatal(err)
	}
	const published = 54
	shapes := map[string][]string{}
	for _, s := range all {
		if s.Flow.Subject == "" || s.Flow.Sender == "" || s.Flow.Recipient == "" || s.Flow.Type == "" || s.Flow.Principle == "" {
			t.Errorf("%s: a parameter of contextual integrity is missing: %+v", s.Name, s.Flow)
		}
		var items []string
		for i, e := range s.World.Expect() {
			c := s.Request.Candidates[i]
			items = append(items, fmt.Sprint(e.Admit, e.Reasons, c.Audience.Kind, len(c.Sources) > 0))
		}
		slices.Sort(items)
		shape := fmt.Sprint(s.World.Doubts(), items)
		shapes[shape] = append(shapes[shape], s.Name)
	}
	if len(shapes) != published {
		for _, shape := range slices.Sorted(maps.Keys(shapes)) {
			t.Log(shapes[shape], shape)
		}
		t.Errorf("there are %d distinct shapes, not %d", len(shapes), published)
	}
}
