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
	const published = "069cde5d40901ff904d33c18d919c915dafd23ad6c8aa725d5c492a012eb20b6"
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
