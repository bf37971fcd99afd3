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
	const published = "f938b212b9740231f3f13e0932794faaef92ecf2f8e007c579aa5868a2097937"
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
