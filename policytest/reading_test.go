package policytest_test

import (
	"encoding/json"
	"io/fs"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"earshot/policy"
	"earshot/policytest"
	"earshot/policytest/reading"
	"earshot/server/wire"
)

// TestTheReadingHoldsEveryCase holds the plain reading against the cases, which know neither it nor
// the decision point. Left out are refused requests, which have no answer, and the rules of authors.
func TestTheReadingHoldsEveryCase(t *testing.T) {
	held := 0
	for _, c := range readCases(t) {
		if c.Want.Refused != nil || saysLocal(c) {
			continue
		}
		held++
		t.Run(c.Name, func(t *testing.T) {
			body, err := c.Body()
			if err != nil {
				t.Fatal(err)
			}
			req, err := wire.DecodeDecision(body, wire.DefaultLimits())
			if err != nil {
				t.Fatal(err)
			}
			answer := reading.Decide(c.Now, settingsOfCase(t, c), factsOfCase(c, req), req)
			got := wantOf(answer)
			want := policytest.Want{Viewers: c.Want.Viewers, Results: c.Want.Results, Verdict: c.Want.Verdict}
			if want.Verdict == "" {
				want.Verdict = got.Verdict
			}
			if diff := gocmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("the reading is not the wanted answer (-want +got):\n%s", diff)
			}
		})
	}
	if held == 0 {
		t.Error("there is no case to hold the reading against")
	}
}

// saysLocal reports whether a case is about a rule of an author.
func saysLocal(c *policytest.Case) bool {
	for _, r := range c.Want.Results {
		for _, code := range r.Reasons {
			if strings.HasPrefix(code, "local:") {
				return true
			}
		}
	}
	return false
}

// TestTheShippedSettingsAreThose compares the settings of the random and the small worlds with those
// that ship with the program.
func TestTheShippedSettingsAreThose(t *testing.T) {
	text, err := fs.ReadFile(policy.EmbeddedFS(), "earshot/settings/data.json")
	if err != nil {
		t.Fatal(err)
	}
	got := withSettings(t, reading.Settings{}, text)
	if diff := gocmp.Diff(allSettings()[0], got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("the settings differ (-tests +bundle):\n%s", diff)
	}
}

// settingsOfCase returns the shipped settings with those of the case in their place.
func settingsOfCase(t *testing.T, c *policytest.Case) reading.Settings {
	t.Helper()
	text, err := json.Marshal(c.Settings)
	if err != nil {
		t.Fatal(err)
	}
	return withSettings(t, allSettings()[0], text)
}

// ofHandoffs are the settings that no decision on candidates depends on.
var ofHandoffs = map[string]bool{"handoff_chain_limit": true, "overlap_fingerprints": true}

// withSettings returns s with the settings in a JSON object in the place of those of the same name.
func withSettings(t *testing.T, s reading.Settings, object []byte) reading.Settings {
	t.Helper()
	maxAge, skew := s.EvidenceMaxAge/time.Second, s.ClockSkew/time.Second
	places := map[string]any{
		"placeholders": &s.Placeholders, "evidence_max_age_s": &maxAge, "clock_skew_s": &skew, "internal_bots": &s.InternalBots,
		"revoked": &s.Revoked, "inherit_from": &s.InheritFrom, "seal_required": &s.SealRequired,
	}
	var stated map[string]json.RawMessage
	if err := json.Unmarshal(object, &stated); err != nil {
		t.Fatal(err)
	}
	for name, value := range stated {
		if ofHandoffs[name] {
			continue
		}
		place, ok := places[name]
		if !ok {
			t.Fatalf("the reading knows no setting %s", name)
		}
		if err := json.Unmarshal(value, place); err != nil {
			t.Fatal(err)
		}
	}
	s.EvidenceMaxAge, s.ClockSkew = maxAge*time.Second, skew*time.Second
	return s
}

func factsOfCase(c *policytest.Case, req policy.Request) policy.Facts {
	var facts policy.Facts
	if c.Facts.Roster != nil {
		facts.Roster = &policy.Roster{Members: distinct(c.Facts.Roster.Members), Revoked: distinct(c.Facts.Roster.Revoked)}
	}
	for i := range req.Candidates {
		if viewers, ok := c.Facts.Grants[req.Candidates[i].ID]; ok {
			facts.Grants = granted(facts.Grants, i, viewers)
		}
		for _, status := range []policy.SealStatus{policy.SealValid, policy.SealOtherContent} {
			if c.Facts.Seals[req.Candidates[i].ID] == status.String() {
				facts.Seals = checked(facts.Seals, i, policy.SealCheck{Status: status})
			}
		}
	}
	return facts
}
