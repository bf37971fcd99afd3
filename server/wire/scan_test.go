package wire_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"earshot/policy"
	"earshot/server/wire"
)

// cacheMemory is more than the audiences of any body here take, in bytes.
const cacheMemory = 64 << 20

// ordinaryBody returns a body with n candidates whose audiences have size members each, no two the same.
func ordinaryBody(tb testing.TB, n, size int) []byte {
	type object = map[string]any
	candidates := make([]object, n)
	for i := range candidates {
		members := make([]string, size)
		for k := range members {
			members[k] = fmt.Sprintf("user:person-%04d@example", (i+k)%(n+size))
		}
		candidates[i] = object{
			"id": fmt.Sprintf("item-%06d", i), "tenant": "acme", "channel": fmt.Sprintf("slack:C%04d", i%7), "audience": members,
			"agent": "agent:scribe", "kind": "message", "shared": false, "confidential": i%2 == 0,
		}
	}
	viewers := []string{"user:person-0001@example", "user:person-0002@example", "user:person-0003@example"}
	body, err := json.Marshal(object{
		"turn": object{
			"id": "t-981", "attempt": 1, "tenant": "acme", "agent": "agent:scribe", "channel": "slack:C0042", "viewers": viewers,
			"evidence": []object{{"source": "slack", "viewers": viewers, "observed_at": "2026-11-30T20:00:00Z"}}, "attributes": object{},
		},
		"inheritance": object{"authorized_agents": []string{"agent:researcher"}, "prohibit_confidential": true},
		"candidates":  candidates,
	})
	if err != nil {
		tb.Fatal(err)
	}
	return body
}

func newDecoder(tb testing.TB, limits wire.Limits, memory int) *wire.Decoder {
	d, err := wire.NewDecoder(limits, memory)
	if err != nil {
		tb.Fatal(err)
	}
	return d
}

// plainRequest is a request as one would read it with encoding/json alone. It has lists where the
// contract also has words, and takes much that the contract refuses.
type plainRequest struct {
	Turn struct {
		ID, Tenant, Agent, Channel string
		Attempt                    int
		Viewers                    []string
		Evidence                   []struct {
			Source     string
			Viewers    []string
			ObservedAt time.Time `json:"observed_at"`
		}
		Attributes json.RawMessage
	}
	Inheritance struct {
		AuthorizedAgents     []string `json:"authorized_agents"`
		ProhibitConfidential *bool    `json:"prohibit_confidential"`
	}
	Candidates []struct {
		ID, Tenant, Channel, Agent, Kind string
		Audience                         []string
		Shared                           bool
		Confidential                     *bool
	}
}

// decodePlainly reads body with encoding/json and makes one set an audience, to be asked for viewers.
func decodePlainly(body []byte) ([]map[string]struct{}, error) {
	var req plainRequest
	if err := json.Unmarshal(body, &req); err != nil {
		return nil, err
	}
	sets := make([]map[string]struct{}, len(req.Candidates))
	for i, c := range req.Candidates {
		sets[i] = make(map[string]struct{}, len(c.Audience))
		for _, name := range c.Audience {
			sets[i][name] = struct{}{}
		}
	}
	return sets, nil
}

// way is one way to read a body.
type way struct {
	name string
	read func(body []byte) (int, error) // the number of candidates
}

// ways returns the scanner with audiences it has seen and without any memory of them, the reader behind
// it, and encoding/json.
func ways(tb testing.TB) []way {
	count := func(req policy.Request, err error) (int, error) { return len(req.Candidates), err }
	warm, cold := newDecoder(tb, wire.Limits{}, cacheMemory), newDecoder(tb, wire.Limits{}, 0)
	return []way{
		{"warm", func(body []byte) (int, error) { return count(warm.Decision(body)) }},
		{"cold", func(body []byte) (int, error) { return count(cold.Decision(body)) }},
		{"reference", func(body []byte) (int, error) { return count(wire.Reference(body, wire.Limits{})) }},
		{"json", func(body []byte) (int, error) {
			sets, err := decodePlainly(body)
			return len(sets), err
		}},
	}
}

// sizes are the bodies of the benchmark: candidates, and members of each audience.
func sizes() [][2]int { return [][2]int{{10, 20}, {100, 20}, {1000, 20}, {100, 200}} }

// BenchmarkDecodeDecision reads the same body in every way in turn, so that each meets the same machine,
// and reports the time of each in microseconds, and how often the scanner's goes into encoding/json's.
func BenchmarkDecodeDecision(b *testing.B) {
	for _, size := range sizes() {
		b.Run(fmt.Sprintf("candidates=%d/members=%d", size[0], size[1]), func(b *testing.B) {
			body := ordinaryBody(b, size[0], size[1])
			all := ways(b)
			spent := make(map[string]time.Duration)
			for round := -1; b.Loop(); round++ {
				for _, w := range all {
					start := time.Now()
					if n, err := w.read(body); n != size[0] || err != nil {
						b.Fatalf("%s: %d candidates, %v", w.name, n, err)
					}
					if round >= 0 { // the first one fills the memory of audiences
						spent[w.name] += time.Since(start)
					}
				}
			}
			for _, w := range all {
				b.ReportMetric(float64(spent[w.name].Nanoseconds())/1e3/float64(max(1, b.N-1)), w.name+"-µs")
			}
			b.ReportMetric(float64(spent["json"])/float64(max(1, spent["warm"])), "json/warm")
			b.ReportMetric(float64(spent["json"])/float64(max(1, spent["cold"])), "json/cold")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// BenchmarkWays reads each body in each way by itself, for profiles and counts of allocations.
func BenchmarkWays(b *testing.B) {
	for _, size := range sizes() {
		body := ordinaryBody(b, size[0], size[1])
		for _, w := range ways(b) {
			b.Run(fmt.Sprintf("%s/candidates=%d/members=%d", w.name, size[0], size[1]), func(b *testing.B) {
				b.SetBytes(int64(len(body)))
				b.ReportAllocs()
				for b.Loop() {
					if _, err := w.read(body); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// A scanner that takes nothing would agree with the reader for ever.
func TestOrdinaryBodiesAreScanned(t *testing.T) {
	for _, size := range sizes() {
		body := ordinaryBody(t, size[0], size[1])
		for _, memory := range []int{0, cacheMemory} {
			d := newDecoder(t, wire.Limits{}, memory)
			for range 2 {
				req, ok := d.Scan(body)
				if !ok || len(req.Candidates) != size[0] {
					t.Errorf("%d candidates of %d members: %d read, ordinary is %t", size[0], size[1], len(req.Candidates), ok)
				}
			}
		}
	}
}
