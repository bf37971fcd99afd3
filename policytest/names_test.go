package policytest_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"earshot/policy"
	"earshot/policytest"
)

// What a caller may call things. A policy can read all of it, and the contract lets none of it decide.
var (
	turnIDs       = []string{"", "t-1", "t-2"}
	channelNames  = []string{"", "chat:launch", "chat:board"}
	storeNames    = []string{"", "recency", "vector", "graph"}
	readingNames  = []string{"", "platform", "app"}
	sourceIDs     = []string{"", "m1", "m2", "s-1"}
	digests       = []string{"", "sha256:" + strings.Repeat("ab", 32), "sha256:" + strings.Repeat("0", 64)}
	turnRemarks   = []string{"", `{"admin": true}`, `{"viewers_basis": "platform", "n": 1}`}
	recallRemarks = []string{"", `{"audience": "public", "admit": true}`, `{"score": 0.9}`}
)

// nameThings draws what the caller calls the turn, its attempt and channel, the readings, and the
// place, the time, the content and the sources of each candidate. What has no proper form keeps it.
func nameThings(t *rapid.T, q *question) {
	turn := &q.Request.Turn
	turn.ID = pick(t, turnIDs, "turn")
	turn.Attempt = rapid.IntRange(1, 4).Draw(t, "attempt")
	turn.Channel = pick(t, channelNames, "channel of the turn")
	turn.Attributes = remark(t, turnRemarks)
	for i := range turn.Evidence {
		turn.Evidence[i].Source = pick(t, readingNames, "source of a reading")
	}
	each(q, func(c *policy.Candidate) {
		c.Channel = pick(t, channelNames, "channel")
		c.Store = pick(t, storeNames, "store")
		c.RecordedAt = pick(t, []time.Time{{}, instant(t, q.Now, "recorded at")}, "recorded")
		if c.Digest == "" || slices.Contains(digests, c.Digest) {
			c.Digest = pick(t, digests, "digest")
		}
		if len(c.Attributes) == 0 || c.Attributes[0] == '{' {
			c.Attributes = remark(t, recallRemarks)
		}
		sources(c, func(s *policy.Source) { s.ID = pick(t, sourceIDs, "id of a source") })
	})
}

// remark draws attributes; nil for none.
func remark(t *rapid.T, from []string) json.RawMessage {
	if text := pick(t, from, "attributes"); text != "" {
		return json.RawMessage(text)
	}
	return nil
}

// ownNames: the caller's own names for things vary and the answer stays.
func ownNames(t *rapid.T) claim {
	before := anyQuestion(t)
	after := before.clone()
	nameThings(t, &after)
	return alike(before, after)
}

// attemptKeepsFresh returns a policy to which nothing is expired once a turn was tried twice in vain.
func attemptKeepsFresh(t *testing.T) policytest.Decider {
	t.Helper()
	const file = "earshot/rules/expired/expired.rego"
	text, err := fs.ReadFile(policy.EmbeddedFS(), file)
	if err != nil {
		t.Fatal(err)
	}
	text = append(text, "\n_fresh if input.turn.attempt > 2\n"...)
	return policytest.NewPolicy(replaced(t, policy.EmbeddedFS(), map[string][]byte{file: text})).Decide
}

// TestEveryOwnNameIsDrawn shows the law of the caller's own names, for each of them, a Decider to which
// nothing expires under one such name.
func TestEveryOwnNameIsDrawn(t *testing.T) {
	ofTurn := func(keeps func(policy.Turn) bool) func(*question, policy.Candidate) bool {
		return func(q *question, _ policy.Candidate) bool { return keeps(q.Request.Turn) }
	}
	ofItem := func(keeps func(policy.Candidate) bool) func(*question, policy.Candidate) bool {
		return func(_ *question, c policy.Candidate) bool { return keeps(c) }
	}
	for name, keeps := range map[string]func(*question, policy.Candidate) bool{
		"turn id":         ofTurn(func(turn policy.Turn) bool { return turn.ID == "t-1" }),
		"attempt":         ofTurn(func(turn policy.Turn) bool { return turn.Attempt > 2 }),
		"turn channel":    ofTurn(func(turn policy.Turn) bool { return turn.Channel == "chat:board" }),
		"turn attributes": ofTurn(func(turn policy.Turn) bool { return turn.Attributes != nil }),
		"reading": ofTurn(func(turn policy.Turn) bool {
			return slices.ContainsFunc(turn.Evidence, func(e policy.Evidence) bool { return e.Source == "app" })
		}),
		"channel":     ofItem(func(c policy.Candidate) bool { return c.Channel == "chat:board" }),
		"store":       ofItem(func(c policy.Candidate) bool { return c.Store == "graph" }),
		"recorded at": ofItem(func(c policy.Candidate) bool { return !c.RecordedAt.IsZero() }),
		"digest":      ofItem(func(c policy.Candidate) bool { return c.Digest != "" }),
		"attributes":  ofItem(func(c policy.Candidate) bool { return c.Attributes != nil }),
		"source id": ofItem(func(c policy.Candidate) bool {
			return slices.ContainsFunc(c.Sources, func(s policy.Source) bool { return s.ID == "s-1" })
		}),
		"the channel of the turn and of the item": func(q *question, c policy.Candidate) bool {
			return c.Channel == q.Request.Turn.Channel
		},
	} {
		t.Run(name, func(t *testing.T) {
			wrong := misheard(func(q *question) {
				each(q, func(c *policy.Candidate) {
					if keeps(q, *c) {
						c.ExpiresAt = time.Time{}
					}
				})
			})
			claims := rapid.Custom(ownNames)
			for seed := range 100 * checksEach {
				err := claims.Example(seed)(t.Context(), wrong)
				if errors.Is(err, errBroken) {
					return
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			t.Error("no question shows the mistake")
		})
	}
}
