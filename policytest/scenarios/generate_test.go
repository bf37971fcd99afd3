package scenarios_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
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
	const published = "e71c317f8c410f68d0008b4712ea01865c0c36f26311024b8445d11ef15d787d"
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

// TestScenariosDiffer compares the scenarios without the names of people, channels and items and
// without their moments: none is another one under other names.
func TestScenariosDiffer(t *testing.T) {
	all, err := scenarios.Generate(scenarios.Seed)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]string{}
	for _, s := range all {
		if s.Flow.Subject == "" || s.Flow.Sender == "" || s.Flow.Recipient == "" || s.Flow.Type == "" || s.Flow.Principle == "" {
			t.Errorf("%s: a parameter of contextual integrity is missing: %+v", s.Name, s.Flow)
		}
		shape := fmt.Sprint(s.World.Doubts(), len(s.Request.Turn.Viewers), s.Flow.Type)
		for i, e := range s.World.Expect() {
			c := s.Request.Candidates[i]
			shape += fmt.Sprint(" ", e.Admit, e.Reasons, c.Kind, c.Audience.Kind, len(c.Audience.Members), len(c.Sources))
		}
		if other, ok := seen[shape]; ok {
			t.Errorf("%s is %s under other names: %s", s.Name, other, shape)
		}
		seen[shape] = s.Name
	}
}
