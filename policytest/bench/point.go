package main

import (
	"encoding/json"
	"fmt"
)

// point is one combination of sizes.
type point struct {
	Candidates int `json:"candidates"`
	Audience   int `json:"audience"`
	Viewers    int `json:"viewers"`
}

// maxMembers is how many members all audiences of a body have at most: with longer bodies, servers
// refuse.
const maxMembers = 1_000_000

func (p point) tooLarge() bool { return p.Candidates*p.Audience > maxMembers || p.Viewers > p.Audience }

// admitted is how many candidates cover the viewers.
func (p point) admitted() int {
	n := 0
	for i := range p.Candidates {
		if covers(i) {
			n++
		}
	}
	return n
}

// covers is true of seven in ten candidates.
func covers(i int) bool { return i%10 < 7 }

// names returns n names from first on. Bodies with another salt share none.
func names(salt, first, n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf("user:person-%d-%05d", salt, first+i)
	}
	return out
}

// audience is that of the candidate at position i. One that does not cover leaves out the first viewer.
func (p point) audience(salt, i int) []string {
	first := 0
	if !covers(i) {
		first = 1
	}
	return names(salt, first, p.Audience)
}

// request is the body of a question to this service.
type request struct {
	Turn       turn        `json:"turn"`
	Candidates []candidate `json:"candidates"`
}

type turn struct {
	Agent   string   `json:"agent"`
	Viewers []string `json:"viewers"`
}

type candidate struct {
	ID       string   `json:"id"`
	Agent    string   `json:"agent"`
	Audience []string `json:"audience"`
}

const agent = "agent:scribe"

// ours returns the body of a request to this service.
func (p point) ours(salt int) ([]byte, error) {
	req := request{Turn: turn{Agent: agent, Viewers: names(salt, 0, p.Viewers)}}
	for i := range p.Candidates {
		req.Candidates = append(req.Candidates, candidate{
			ID: fmt.Sprintf("item-%d-%d", salt, i), Agent: agent, Audience: p.audience(salt, i),
		})
	}
	return json.Marshal(req)
}

// opas returns the body of the same question to OPA, as the policy sees it.
func (p point) opas(salt int) ([]byte, error) {
	none := []string{}
	candidates := make([]any, p.Candidates)
	for i := range candidates {
		candidates[i] = map[string]any{
			"id": fmt.Sprintf("item-%d-%d", salt, i), "faults": none, "audience_basis": "recorded", "tenant": "", "channel": "",
			"audience": map[string]any{"kind": "list", "members": p.audience(salt, i)},
			"agent":    agent, "shared": false, "confidential": nil, "kind": "fact", "state": "live", "recorded_at_ns": nil,
			"expires_at_ns": nil, "digest": "", "seal": "absent", "store": "", "attributes": map[string]any{},
			"granted_viewers": none, "sources": []any{},
		}
	}
	return json.Marshal(map[string]any{"input": map[string]any{
		"now_ns": 1_796_000_000_000_000_000,
		"turn": map[string]any{
			"id": "", "attempt": 1, "tenant": "", "agent": agent, "channel": "", "viewers_stated": true,
			"viewers": names(salt, 0, p.Viewers), "viewers_basis": "platform", "external_viewers": none, "revoked_viewers": none,
			"evidence": []any{}, "attributes": map[string]any{},
			"roster": map[string]any{"kept": false, "members": none, "revoked": none},
		},
		"inheritance": map[string]any{"authorized_agents": none, "prohibit_confidential": true, "require_attribution": true},
		"candidates":  candidates,
	}})
}

// batch is the module that asks the policy about each candidate of one input.
const batch = `package bench

decisions := [d |
	some c in input.candidates
	d := data.earshot.decision with input as {"now_ns": input.now_ns, "turn": input.turn, "inheritance": input.inheritance, "candidate": c}
]
`
