package policy_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"earshot/policy"
)

// sealedItems are seals that verify, by their text, each with the item that was sealed.
type sealedItems map[string]policy.Candidate

var errLookUp = errors.New("disk on fire")

func (s sealedItems) Verify(_ context.Context, seal string) (policy.Sealed, error) {
	item, ok := s[seal]
	switch {
	case seal == "unreadable":
		return policy.Sealed{}, errLookUp
	case !ok:
		return policy.Sealed{}, fmt.Errorf("%w: forged", policy.ErrSeal)
	}
	return policy.NewSealed(seal, time.Unix(1796068000, 0), &item), nil
}

func (s sealedItems) Labels(_ context.Context, id string) (policy.Audience, []policy.Source, error) {
	item := s[id]
	switch id {
	case "erased":
		return policy.Audience{}, nil, fmt.Errorf("%w: erased", policy.ErrSeal)
	case "tampered":
		item.Sources = item.Sources[:1]
	}
	return item.Audience, item.Sources, nil
}

func sealedElements() sealedItems {
	digest := "sha256:" + strings.Repeat("1", 64)
	fact := policy.Candidate{
		ID: "e1", Tenant: "acme", Agent: "agent:intake", Shared: true, Confidential: policy.NotConfidential, Kind: "fact",
		Digest: digest, Audience: policy.Principals("user:ann"), AudienceBasis: policy.BasisRecorded, State: policy.StateLive,
	}
	secret, past, over := fact, fact, fact
	secret.Confidential = policy.Confidential
	past.ExpiresAt = time.Unix(1796068800, 0)
	over.Kind = "summary"
	over.Sources = []policy.Source{
		{ID: "s1", Agent: "agent:intake", Confidential: policy.NotConfidential},
		{ID: "s2", Agent: "agent:billing", Confidential: policy.Confidential},
	}
	return sealedItems{
		"fact": fact, "secret": secret, "past": past, "over": over, "erased": over, "tampered": over,
	}
}

func TestSealsOfElements(t *testing.T) {
	shared := []policy.Result{admitted("e1", "authorized_sharing", "label_source")}
	invalid := []policy.Result{denied("e1", "seal_invalid")}
	open := policy.LabelShared | policy.LabelKind | policy.LabelSources
	bare := func(seal string) policy.Element {
		return policy.Element{ID: "e1", Kind: "fact", Seal: seal, Unstated: open}
	}
	whole := func(change func(el *policy.Element)) policy.Element {
		el := summary("e1", "agent:intake", elementFrom("s1", "agent:intake"), policy.ElementSource{ID: "s2", Source: "agent:billing"})
		el.Seal = "over"
		if change != nil {
			change(&el)
		}
		return el
	}
	for name, c := range map[string]struct {
		element policy.Element
		want    []policy.Result
		differs string
	}{
		"labels left to the seal":   {bare("fact"), shared, ""},
		"a secret in its own words": {bare("secret"), []policy.Result{denied("e1", "confidential_from_other_agent")}, ""},
		"a secret called open": {
			policy.Element{ID: "e1", Kind: "fact", Seal: "secret", Unstated: open, Confidential: policy.NotConfidential},
			[]policy.Result{denied("e1", "seal_invalid", "unattributed")}, "confidential",
		},
		"forged": {policy.Element{
			ID: "e1", Source: "agent:intake", Shared: true, Confidential: policy.NotConfidential, Kind: "fact", Seal: "forged",
		}, invalid, "signature"},
		"expired":        {whole(func(el *policy.Element) { el.Seal, el.Kind, el.Sources = "past", "fact", nil }), invalid, "expires_at"},
		"as sealed":      {whole(nil), shared, ""},
		"another id":     {whole(func(el *policy.Element) { el.ID = "e2" }), []policy.Result{denied("e2", "seal_invalid")}, "id"},
		"another agent":  {whole(func(el *policy.Element) { el.Source = "agent:billing" }), invalid, "agent"},
		"another kind":   {whole(func(el *policy.Element) { el.Kind = "fact" }), invalid, "kind"},
		"a source less":  {whole(func(el *policy.Element) { el.Sources = el.Sources[:1] }), invalid, "sources"},
		"another source": {whole(func(el *policy.Element) { el.Sources[0].ID = "s3" }), invalid, "sources"},
		"a source of another": {
			whole(func(el *policy.Element) { el.Sources[0].Source = "agent:billing" }), invalid, "sources",
		},
		"a source with another mark": {
			whole(func(el *policy.Element) { el.Sources[0].Confidential = policy.Confidential }),
			[]policy.Result{denied("e1", "confidential_from_other_agent", "seal_invalid")}, "sources",
		},
		"sources that are erased":      {whole(func(el *policy.Element) { el.Seal = "erased" }), invalid, "labels"},
		"sources that are not as kept": {whole(func(el *policy.Element) { el.Seal = "tampered" }), invalid, "labels"},
		"sources left to the seal count as not shared": {
			bare("over"), []policy.Result{denied("e1", "unshared_from_other_agent")}, "",
		},
		"other content": {
			whole(func(el *policy.Element) { el.Digest = "sha256:" + strings.Repeat("2", 64) }),
			[]policy.Result{denied("e1", "digest_mismatch")}, "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			recorder := &handoffs{}
			point := sealPoint(t, embeddedEngine(t), recorder, sealedElements())
			h := inherit(func(h *policy.Handoff) { h.Tenant, h.Elements[0] = "acme", c.element })
			d, err := point.HandOff(t.Context(), h)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, d.Results); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if got := d.Seals[0].Differs; got != c.differs {
				t.Errorf("differs in %q, want %q", got, c.differs)
			}
			if d.Request.Elements[0].Unstated != 0 || !cmp.Equal(d.Seals, recorder.entries[0].Seals) {
				t.Errorf("recorded %+v, answered %+v", recorder.entries[0], d.HandoffEntry)
			}
		})
	}
}

// What is recorded is what was decided on.
func TestSealFillsInLabels(t *testing.T) {
	point := sealPoint(t, embeddedEngine(t), &handoffs{}, sealedElements())
	d, err := point.HandOff(t.Context(), inherit(func(h *policy.Handoff) {
		h.Tenant = "acme"
		h.Elements[0] = policy.Element{
			ID: "e1", Kind: "fact", Seal: "over", Unstated: policy.LabelShared | policy.LabelKind | policy.LabelSources,
		}
	}))
	if err != nil {
		t.Fatal(err)
	}
	want := policy.Element{
		ID: "e1", Source: "agent:intake", Shared: true, Confidential: policy.NotConfidential, Kind: "summary", Seal: "sha256:5fb6a47e368e12e5d8b19280796e6a3d146fe391ed2e967d5f95c55bfb0f9c2f", // of over
		Digest: "sha256:" + strings.Repeat("1", 64),
		Sources: []policy.ElementSource{
			{ID: "s1", Source: "agent:intake", Confidential: policy.NotConfidential},
			{ID: "s2", Source: "agent:billing", Confidential: policy.Confidential},
		},
	}
	if diff := cmp.Diff(want, d.Request.Elements[0]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Without keys no seal stands; another tenant's stands for nothing; one that cannot be looked up ends
// the request.
func TestSealsThatSayNothing(t *testing.T) {
	sealed := func(seal, tenant string) policy.Handoff {
		return inherit(func(h *policy.Handoff) { h.Tenant, h.Elements[0].Seal = tenant, seal })
	}
	invalid := []policy.Result{denied("e1", "seal_invalid")}
	for name, c := range map[string]struct {
		seals  policy.Seals
		tenant string
	}{"no keys": {nil, "acme"}, "another tenant": {sealedElements(), "umbrella"}} {
		d, err := sealPoint(t, embeddedEngine(t), &handoffs{}, c.seals).HandOff(t.Context(), sealed("fact", c.tenant))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(invalid, d.Results); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	recorder := &handoffs{}
	d, err := sealPoint(t, embeddedEngine(t), recorder, sealedElements()).HandOff(t.Context(), sealed("unreadable", "acme"))
	if d != nil || !errors.Is(err, policy.ErrPolicyUnavailable) || !errors.Is(err, errLookUp) || len(recorder.entries) > 0 {
		t.Errorf("%v, %v, want ErrPolicyUnavailable", d, err)
	}
}

func TestSealsCanBeRequired(t *testing.T) {
	files := embeddedFiles(t)
	settings := strings.Replace(string(files["earshot/settings/data.json"].Data), `"seal_required": false`, `"seal_required": true`, 1)
	files["earshot/settings/data.json"] = file(settings)
	e, err := engineOf(files)
	if err != nil {
		t.Fatal(err)
	}
	d, err := sealPoint(t, e, &handoffs{}, sealedElements()).HandOff(t.Context(), inherit(func(h *policy.Handoff) {
		h.Tenant = "acme"
		h.Elements[0].Seal = "fact"
		unsealed := h.Elements[0]
		unsealed.ID, unsealed.Seal = "e2", ""
		h.Elements = append(h.Elements, unsealed, own("e3"))
	}))
	if err != nil {
		t.Fatal(err)
	}
	want := []policy.Result{
		denied("e1", policy.CodeHandoffHalted), denied("e2", "seal_required"), denied("e3", policy.CodeHandoffHalted),
	}
	if diff := cmp.Diff(want, d.Results); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func sealPoint(t *testing.T, e *policy.Engine, recorder *handoffs, seals policy.Seals) *policy.Point {
	t.Helper()
	p, err := policy.NewPoint(policy.Config{
		Engine: e, Recorder: recorder, HandoffRecorder: recorder, Seals: seals,
		Clock: func() time.Time { return time.Unix(1796068801, 0) },
		NewID: func() (string, error) { return "01931c5e-7d2a-7c1f-9a57-0c3d5be0a1f2", nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	return p
}
