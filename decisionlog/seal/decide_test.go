package seal_test

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"earshot/policy"
)

// leftOut are the labels that have no value which means absent.
const leftOut = policy.LabelAudience | policy.LabelAudienceBasis | policy.LabelShared | policy.LabelKind | policy.LabelSources

// entered returns candidates as an entry has them: with the digest of the seal.
func entered(all []policy.Candidate) []policy.Candidate {
	all = slices.Clone(all)
	for i := range all {
		all[i].Seal = fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(all[i].Seal)))
	}
	return all
}

// bare returns a candidate with nothing but an id, a state and a seal, as a decoder reads it.
func bare(c policy.Candidate) policy.Candidate {
	return policy.Candidate{
		ID: c.ID, State: policy.StateLive, Seal: c.Seal, Unstated: leftOut,
		AudienceBasis: policy.BasisRecorded, Kind: policy.KindFact,
	}
}

// TestTheSealedLabelsCount leaves every label to the seal: what is decided and recorded is the item as
// it was sealed.
func TestTheSealedLabelsCount(t *testing.T) {
	d := newDesk(t)
	summary := item("m2")
	summary.Kind, summary.Audience = "summary", policy.Audience{Kind: policy.AudienceInherited}
	order := item("m3")
	order.Kind, order.Agent, order.Shared = "directive", "agent:other", true
	public := item("m4")
	public.Audience, public.Sources = policy.Everybody(), nil
	guess := item("m5")
	guess.AudienceBasis = "guessed"
	expiring := item("m6")
	expiring.ExpiresAt = noon.Add(time.Hour)
	sealed := d.issue(t, item("m1"), summary, order, public, guess, expiring)

	want := []policy.Result{
		{ID: "m1", Admit: true, Reasons: []string{"audience_covers_viewers"}, Obligations: []string{}},
		{ID: "m2", Admit: true, Reasons: []string{"audience_covers_viewers"}, Obligations: []string{}},
		{ID: "m3", Reasons: []string{"agent_not_authorized", "foreign_directive"}},
		{ID: "m4", Admit: true, Reasons: []string{"public"}, Obligations: []string{}},
		{ID: "m5", Reasons: []string{"audience_not_recorded"}},
		{ID: "m6", Admit: true, Reasons: []string{"audience_covers_viewers"}, Obligations: []string{}},
	}
	var asked []policy.Candidate
	for _, c := range sealed {
		asked = append(asked, bare(c))
	}
	decision := d.decide(t, asked...)
	if diff := cmp.Diff(want, decision.Results); diff != "" {
		t.Errorf("results (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(entered(sealed), decision.Request.Candidates); diff != "" {
		t.Errorf("the labels that count (-sealed +got):\n%s", diff)
	}
	if got := decision.Admitted()[0].ContentDigest(); got != sealed[0].Digest {
		t.Errorf("the admission is bound to %q", got)
	}

	again := d.decide(t, sealed[0], sealed[3], sealed[5]) // with every label stated
	if admitted, _ := again.Counts(); admitted != 3 {
		t.Errorf("asked again: %+v", again.Results)
	}

	d.now = noon.Add(time.Hour)
	if got := d.decide(t, asked[5]); got.Results[0].Admit || got.Facts.Seals[0].Differs != "expires_at" {
		t.Errorf("after it expired: %+v", got.Results[0])
	}
}

// TestLabelsThatAreNotKept leaves audience and sources to a log that no longer has them as sealed.
func TestLabelsThatAreNotKept(t *testing.T) {
	for name, forget := range map[string]func(*ledger){
		"none": func(l *ledger) { clear(l.sealings) },
		"another audience": func(l *ledger) {
			for _, s := range l.sealings {
				s.Items[0].Audience = policy.Principals("erased-17", "user:ann")
			}
		},
		"another source": func(l *ledger) {
			for _, s := range l.sealings {
				s.Items[0].Sources = s.Items[0].Sources[:1]
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			sealed := d.issue(t, item("m1"))[0]
			forget(d.ledger)
			stated := sealed
			decision := d.decide(t, bare(sealed), stated)
			if got := decision.Facts.Seals[0]; decision.Results[0].Admit || got.Differs != "labels" {
				t.Errorf("got %+v, %+v", decision.Results[0], got)
			}
			if !decision.Results[1].Admit {
				t.Errorf("who states them needs no log: %+v", decision.Results[1])
			}
		})
	}
}

// TestALogThatFailsGuessesNothing: labels that cannot be looked up are not taken for absent.
func TestALogThatFailsGuessesNothing(t *testing.T) {
	d := newDesk(t)
	sealed := d.issue(t, item("m1"))[0]
	d.ledger.err = errors.New("disk full")
	decision, err := d.point.Decide(t.Context(), request(bare(sealed)))
	if decision != nil || !errors.Is(err, policy.ErrPolicyUnavailable) || !errors.Is(err, d.ledger.err) {
		t.Errorf("got %+v, %v", decision, err)
	}
}

// TestAnotherDigestIsOtherContent: the seal is good, and not of this text.
func TestAnotherDigestIsOtherContent(t *testing.T) {
	d := newDesk(t)
	c := d.issue(t, item("m1"))[0]
	c.Digest = digestOf("b")
	decision := d.decide(t, c)
	if got := decision.Results[0]; got.Admit || !cmp.Equal(got.Reasons, []string{"digest_mismatch"}) {
		t.Errorf("got %+v", got)
	}
	if got := decision.Facts.Seals[0]; got != (policy.SealCheck{Status: policy.SealOtherContent}) {
		t.Errorf("recorded %+v", got)
	}
}

// TestClocksMayDiffer: a seal may come from a clock that is half a minute ahead.
func TestClocksMayDiffer(t *testing.T) {
	d := newDesk(t)
	c := d.issue(t, item("m1"))[0]
	d.now = noon.Add(-30 * time.Second)
	if got := d.decide(t, c).Results[0]; !got.Admit {
		t.Errorf("got %+v", got)
	}
	d.now = noon.Add(-31 * time.Second)
	if got := d.decide(t, c).Results[0]; got.Admit {
		t.Errorf("got %+v", got)
	}
}

// TestARetiredKeyStillVerifies: what it signed in its time stands.
func TestARetiredKeyStillVerifies(t *testing.T) {
	old := retired(t)
	d := newDesk(t, old.key)
	c := d.issue(t, item("m1"))[0]
	c.Seal = old.signed(sealHeader(old.key.ID), with(t, c.Seal, map[string]any{"iat": old.key.NotAfter.Unix()}))
	if got := d.decide(t, c).Results[0]; !got.Admit {
		t.Errorf("got %+v", got)
	}
}
