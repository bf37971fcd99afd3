package seal_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/lestrrat-go/jwx/v3/jwa"
	"github.com/lestrrat-go/jwx/v3/jws"

	"earshot/decisionlog/keyring"
	"earshot/decisionlog/seal"
	"earshot/policy"
)

// TestASealSaysWhatWasSealed issues seals of items of every sort and verifies them.
func TestASealSaysWhatWasSealed(t *testing.T) {
	d := newDesk(t)
	public := policy.Candidate{
		ID: "public", Audience: policy.Everybody(), AudienceBasis: "declared", Agent: "agent:other", Shared: true,
		Kind: "directive", State: policy.StateLive, Digest: digestOf("b"), ExpiresAt: noon.Add(time.Hour + 999*time.Millisecond),
	}
	summary := item("summary")
	summary.Kind, summary.Audience, summary.Confidential = "summary", policy.Audience{Kind: policy.AudienceInherited}, policy.Confidential
	tenant := item("tenant")
	tenant.Audience, tenant.Sources, tenant.Confidential = policy.WholeTenant(), nil, policy.ConfidentialityUnstated
	items := []policy.Candidate{item("fact"), public, summary, tenant}
	answer, err := d.Issue(t.Context(), seal.Request{Tenant: "acme", RequestedBy: "mover", PolicyRevision: revision, Items: items})
	if err != nil {
		t.Fatal(err)
	}
	recorded := d.ledger.sealings[answer.SealingID]
	if recorded == nil || recorded.RequestedBy != "mover" || recorded.PolicyRevision != revision || !recorded.At.Equal(noon) {
		t.Fatalf("recorded %+v", recorded)
	}
	for i, issued := range answer.Seals {
		got, err := d.Verify(t.Context(), issued.Seal)
		if err != nil {
			t.Fatalf("%s: %v", items[i].ID, err)
		}
		kept := recorded.Items[i]
		want := policy.Sealed{
			ID: answer.SealingID + "/" + string(rune('0'+i)), ItemID: items[i].ID, Tenant: "acme", Channel: items[i].Channel,
			Agent: items[i].Agent, Kind: items[i].Kind, Digest: items[i].Digest, AudienceBasis: items[i].AudienceBasis,
			AudienceKind: items[i].Audience.Kind, AudienceDigest: policy.AudienceDigest(items[i].Audience),
			Shared: items[i].Shared, Confidential: items[i].Confidential, SourcesDigest: policy.SourcesDigest(items[i].Sources),
			RecordedAt: items[i].RecordedAt, IssuedAt: noon, ExpiresAt: items[i].ExpiresAt.Truncate(time.Second),
		}
		if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(policy.Sealed{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", items[i].ID, diff)
		}
		if issued.Digest != kept.Digest || issued.AudienceDigest != want.AudienceDigest || !issued.ExpiresAt.Equal(want.ExpiresAt) {
			t.Errorf("%s: issued %+v", items[i].ID, issued)
		}
	}
}

// TestAnotherReaderVerifiesASeal holds a seal against a JOSE library that knows nothing of it.
func TestAnotherReaderVerifiesASeal(t *testing.T) {
	d := newDesk(t)
	text := d.issue(t, item("m1"))[0].Seal
	payload, err := jws.Verify([]byte(text), jws.WithKey(jwa.EdDSA(), d.signer.key.Public))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(string(payload), `{"v":1,"jti":"00000000-`) {
		t.Errorf("got %s", payload)
	}
	message, err := jws.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if typ, _ := message.Signatures()[0].ProtectedHeaders().Type(); typ != seal.Type {
		t.Errorf("got the type %q", typ)
	}
}

// TestTheLongestLabelsFit seals labels that are as long as they can be.
func TestTheLongestLabelsFit(t *testing.T) {
	d := newDesk(t)
	long := item(strings.Repeat(`"`, policy.MaxName))
	label := strings.Repeat(`\`, policy.MaxLabel)
	long.Tenant, long.Channel, long.AudienceBasis, long.Agent = label, label, label, strings.Repeat(`"`, policy.MaxName)
	if _, err := d.Verify(t.Context(), d.issue(t, long)[0].Seal); err != nil {
		t.Error(err)
	}
}

// TestIssueRefuses gives each request one fault: the whole of it is refused, and nothing is recorded.
func TestIssueRefuses(t *testing.T) {
	source := policy.Source{ID: "s", Audience: policy.Principals("user:ann"), State: policy.StateLive}
	for name, test := range map[string]struct {
		spoil   func(*policy.Candidate)
		pointer string
	}{
		"no id":            {func(c *policy.Candidate) { c.ID = "" }, "/items/1/id"},
		"no agent":         {func(c *policy.Candidate) { c.Agent = "" }, "/items/1/agent"},
		"no digest":        {func(c *policy.Candidate) { c.Digest = "" }, "/items/1/digest"},
		"an odd digest":    {func(c *policy.Candidate) { c.Digest = "sha1:00" }, "/items/1/digest"},
		"no basis":         {func(c *policy.Candidate) { c.AudienceBasis = "" }, "/items/1/audience_basis"},
		"a basis left out": {func(c *policy.Candidate) { c.Unstated = policy.LabelAudienceBasis }, "/items/1/audience_basis"},
		"a kind left out":  {func(c *policy.Candidate) { c.Unstated = policy.LabelKind }, "/items/1/kind"},
		"an odd kind":      {func(c *policy.Candidate) { c.Kind = "opinion" }, "/items/1/kind"},
		"another tenant":   {func(c *policy.Candidate) { c.Tenant = "globex" }, "/items/1/tenant"},
		"erased":           {func(c *policy.Candidate) { c.State = "erased" }, "/items/1/state"},
		"expired":          {func(c *policy.Candidate) { c.ExpiresAt = noon }, "/items/1/expires_at"},
		"sealed":           {func(c *policy.Candidate) { c.Seal = "a.b.c" }, "/items/1/seal"},
		"a store":          {func(c *policy.Candidate) { c.Store = "vector" }, "/items/1/store"},
		"attributes":       {func(c *policy.Candidate) { c.Attributes = []byte(`{"a":1}`) }, "/items/1/attributes"},
		"nobody":           {func(c *policy.Candidate) { c.Audience = policy.Audience{} }, "/items/1/audience"},
		"inherited from nothing": {func(c *policy.Candidate) {
			c.Audience, c.Sources = policy.Audience{Kind: policy.AudienceInherited}, nil
		}, "/items/1/audience"},
		"nobody in common": {func(c *policy.Candidate) {
			other := source
			other.Audience = policy.Principals("user:ben")
			c.Audience, c.Sources = policy.Audience{Kind: policy.AudienceInherited}, []policy.Source{source, other}
		}, "/items/1/audience"},
		"wider than a source":       {func(c *policy.Candidate) { c.Sources = []policy.Source{source} }, "/items/1/audience"},
		"public over a list":        {func(c *policy.Candidate) { c.Audience = policy.Everybody() }, "/items/1/audience"},
		"the tenant over a list":    {func(c *policy.Candidate) { c.Audience = policy.WholeTenant() }, "/items/1/audience"},
		"a source for nobody":       {func(c *policy.Candidate) { c.Sources[0].Audience = policy.Audience{} }, "/items/1/audience"},
		"a summary of nothing":      {func(c *policy.Candidate) { c.Kind, c.Sources = "summary", nil }, "/items/1/sources"},
		"a source that is erased":   {func(c *policy.Candidate) { c.Sources[1].State = "erased" }, "/items/1/sources"},
		"a source that has expired": {func(c *policy.Candidate) { c.Sources[1].ExpiresAt = noon }, "/items/1/sources"},
		"a source of elsewhere":     {func(c *policy.Candidate) { c.Sources[1].Tenant = "globex" }, "/items/1/sources"},
		"an unknown field": {func(c *policy.Candidate) {
			c.Faults = []policy.Fault{{Code: policy.CodeUnknownField, Field: "sources/0/colour", Problem: "is odd"}}
		}, "/items/1/sources/0/colour"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			spoilt := item("m2")
			test.spoil(&spoilt)
			answer, err := d.Issue(t.Context(), seal.Request{Tenant: "acme", Items: []policy.Candidate{item("m1"), spoilt}})
			wrong, ok := errors.AsType[*policy.InvalidError](err)
			if !ok || wrong.Pointer != test.pointer || len(answer.Seals) > 0 {
				t.Errorf("got %+v, %v", answer, err)
			}
			if len(d.ledger.sealings) > 0 {
				t.Errorf("recorded %+v", d.ledger.sealings)
			}
		})
	}
}

// TestNothingIsSealedThatIsNotRecorded: without the log there is no seal, and neither without a key.
func TestNothingIsSealedThatIsNotRecorded(t *testing.T) {
	d := newDesk(t)
	d.ledger.err = errors.New("disk full")
	answer, err := d.Issue(t.Context(), seal.Request{Tenant: "acme", Items: []policy.Candidate{item("m1")}})
	if !errors.Is(err, policy.ErrNotRecorded) || !errors.Is(err, d.ledger.err) || len(answer.Seals) > 0 {
		t.Errorf("got %+v, %v", answer, err)
	}

	d = newDesk(t)
	d.now = noon.Add(-2 * time.Hour)
	if answer, err := d.Issue(t.Context(), seal.Request{Tenant: "acme", Items: []policy.Candidate{item("m1")}}); err == nil || len(d.ledger.sealings) > 0 {
		t.Errorf("got %+v, %v before the key was in force", answer, err)
	}
	if _, err := d.Issue(t.Context(), seal.Request{Tenant: "acme"}); !errors.Is(err, policy.ErrInvalidRequest) {
		t.Errorf("got %v for no items", err)
	}
}

// TestLabels asks for labels that are kept and for such as are not.
func TestLabels(t *testing.T) {
	d := newDesk(t)
	d.issue(t, item("m1"))
	const id = "00000000-0000-7000-8000-000000000001"
	audience, sources, err := d.Labels(t.Context(), id+"/0")
	if err != nil || policy.AudienceDigest(audience) != policy.AudienceDigest(item("").Audience) || policy.SourcesDigest(sources) != policy.SourcesDigest(item("").Sources) {
		t.Errorf("got %v, %v, %v", audience, sources, err)
	}
	for _, wrong := range []string{"", "/0", id, id + "/", id + "/1", id + "/-1", id + "/x", "00000000-0000-7000-8000-000000000009/0"} {
		if _, _, err := d.Labels(t.Context(), wrong); !errors.Is(err, policy.ErrSeal) {
			t.Errorf("%q: got %v", wrong, err)
		}
	}
	// What the log said counts until something is erased there; then it is asked again.
	d.ledger.err = context.DeadlineExceeded
	if again, _, err := d.Labels(t.Context(), id+"/0"); err != nil || policy.AudienceDigest(again) != policy.AudienceDigest(audience) {
		t.Errorf("got %v, %v from memory", again, err)
	}
	d.ledger.epoch.Add(1)
	if _, _, err := d.Labels(t.Context(), id+"/0"); !errors.Is(err, d.ledger.err) || errors.Is(err, policy.ErrSeal) {
		t.Errorf("got %v from a log that fails", err)
	}
}

// counted counts how often a key is looked up: once for each seal that is not remembered.
type counted struct {
	keys
	times int
}

func (c *counted) Find(p keyring.Purpose, id string) (keyring.Key, bool) {
	c.times++
	return c.keys.Find(p, id)
}

// TestTheCacheIsBounded verifies one seal more than are remembered, and such as do not verify.
func TestTheCacheIsBounded(t *testing.T) {
	sealed := newDesk(t).issue(t, item("m1"), item("m2"), item("m3"))
	looked := &counted{keys: keys{newSigner(t, 1).key}}
	config := seal.Config{
		Signer: newSigner(t, 1), Keys: looked, Ledger: &ledger{}, Cache: 2,
		Clock: time.Now, NewID: func() (string, error) { return "", nil },
	}
	s, err := seal.New(config)
	if err != nil {
		t.Fatal(err)
	}
	forged := newSigner(t, 9).signed(sealHeader(newSigner(t, 1).key.ID), with(t, sealed[0].Seal, nil))
	for i, step := range []struct {
		seal string
		want int // lookups up to now
	}{
		{sealed[0].Seal, 1}, {sealed[0].Seal, 1}, {sealed[1].Seal, 2}, {sealed[0].Seal, 2}, {sealed[2].Seal, 3},
		{sealed[0].Seal, 3}, {sealed[1].Seal, 4}, {forged, 5}, {forged, 6}, {sealed[1].Seal, 6},
	} {
		if _, err := s.Verify(t.Context(), step.seal); (err == nil) != (step.seal != forged) {
			t.Errorf("step %d: %v", i, err)
		}
		if looked.times != step.want {
			t.Errorf("step %d: %d lookups, want %d", i, looked.times, step.want)
		}
	}
	config.Cache = -1
	if _, err := seal.New(config); err == nil {
		t.Error("a cache of less than nothing is taken")
	}
}
