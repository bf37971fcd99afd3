package wire_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"earshot/decisionlog/seal"
	"earshot/policy"
	"earshot/server/wire"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// digestOfHello is the SHA-256 of "hello".
const digestOfHello = "sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"

const wholeSealing = `{"tenant": "acme", "items": [
	{"id": "m1", "audience": ["user:b", "user:a"], "audience_basis": "recorded", "tenant": "acme", "channel": "c", "agent": "agent:x",
	 "shared": true, "confidential": false, "kind": "summary", "recorded_at": "2026-11-30T20:00:00Z", "expires_at": "2027-01-01T00:00:00Z",
	 "sources": [{"id": "s1", "audience": "tenant"}], "content": "hello"},
	{"id": "m2", "digest": "` + digestOfHello + `"},
	{"id": "m3", "digest": "` + digestOfHello + `", "content": "hello"}]}`

func TestDecodeSealing(t *testing.T) {
	got, err := wire.DecodeSealing([]byte(wholeSealing), wire.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	const all = policy.LabelAudience | policy.LabelAudienceBasis | policy.LabelShared | policy.LabelKind | policy.LabelSources
	left := policy.Candidate{
		ID: "m2", AudienceBasis: policy.BasisRecorded, Kind: policy.KindFact, State: policy.StateLive,
		Digest: digestOfHello, Unstated: all,
	}
	computed := left
	computed.ID = "m3"
	want := wire.SealRequest{Tenant: "acme", Items: []wire.SealItem{
		{Content: "hello", Labels: policy.Candidate{
			ID: "m1", Audience: policy.Principals("user:a", "user:b"), AudienceBasis: policy.BasisRecorded, Tenant: "acme",
			Channel: "c", Agent: "agent:x", Shared: true, Confidential: policy.NotConfidential, Kind: "summary",
			RecordedAt: time.Date(2026, 11, 30, 20, 0, 0, 0, time.UTC), ExpiresAt: time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC),
			Sources: []policy.Source{{ID: "s1", Audience: policy.WholeTenant(), State: policy.StateLive}},
			State:   policy.StateLive, Digest: digestOfHello,
		}},
		{Labels: left},
		{Labels: computed, Content: "hello"},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]policy.Candidate{want.Items[0].Labels, left, computed}, got.Labels()); diff != "" {
		t.Errorf("labels (-want +got):\n%s", diff)
	}
}

func TestDecodeSealingRefuses(t *testing.T) {
	for name, test := range map[string]struct{ body, code, pointer string }{
		"no items":                {`{}`, wire.CodeInvalidRequest, "/items"},
		"items of null":           {`{"items": null}`, wire.CodeInvalidRequest, "/items"},
		"an unknown field":        {`{"items": [], "viewers": []}`, wire.CodeInvalidRequest, "/viewers"},
		"an empty tenant":         {`{"items": [], "tenant": ""}`, wire.CodeInvalidRequest, "/tenant"},
		"an item that is none":    {`{"items": [{"id": "m"}, 1]}`, wire.CodeInvalidRequest, "/items/1"},
		"an item without an id":   {`{"items": [{}]}`, wire.CodeInvalidRequest, "/items/0/id"},
		"an unknown label":        {`{"items": [{"id": "m", "colour": 1}]}`, wire.CodeInvalidRequest, "/items/0/colour"},
		"a label of a source":     {`{"items": [{"id": "m", "sources": [{"content": "x"}]}]}`, wire.CodeInvalidRequest, "/items/0/sources/0/content"},
		"content that is no text": {`{"items": [{"id": "m", "content": 1}]}`, wire.CodeInvalidRequest, "/items/0/content"},
		"no content":              {`{"items": [{"id": "m", "content": ""}]}`, wire.CodeInvalidRequest, "/items/0/content"},
		"content of another digest": {
			`{"items": [{"id": "l"}, {"id": "m", "content": "Hello", "digest": "` + digestOfHello + `"}]}`, wire.CodeInvalidRequest, "/items/1/digest",
		},
		"an audience that is text": {`{"items": [{"id": "m", "audience": "user:a"}]}`, wire.CodeInvalidRequest, "/items/0/audience"},
		"a label twice":            {`{"items": [{"id": "m", "id": "n"}]}`, wire.CodeInvalidJSON, ""},
		"too many items":           {`{"items": [` + strings.Repeat(`{"id": "m"},`, 3) + `{"id": "m"}]}`, wire.CodeTooLarge, "/items"},
		"too many sources":         {`{"items": [{"id": "m", "sources": [{}, {}, {}, {}]}]}`, wire.CodeTooLarge, "/items"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := wire.DecodeSealing([]byte(test.body), wire.Limits{Candidates: 3, Sources: 3})
			refusal, ok := errors.AsType[*wire.Error](err)
			if !ok || refusal.Code != test.code || refusal.Pointer != test.pointer {
				t.Errorf("got %+v, %v", got, err)
			}
			if err != nil && strings.Contains(err.Error(), "Hello") {
				t.Errorf("the message repeats the content: %v", err)
			}
		})
	}
}

func TestEncodeSealing(t *testing.T) {
	at := time.Date(2026, 11, 30, 20, 0, 1, 123456000, time.UTC)
	got, err := wire.Marshal(wire.EncodeSealing(&seal.Answer{
		SealingID: "01931c5e", SealedAt: at, Log: policy.Position{Index: 41},
		Seals: []seal.Issued{
			{ItemID: "m1", Seal: "a.b.c", Digest: "sha256:00", AudienceDigest: "sha256:01", ExpiresAt: at.Truncate(time.Second)},
			{ItemID: "m2", Seal: "d.e.f", Digest: "sha256:02", AudienceDigest: "sha256:03"},
		},
	}))
	want := `{"sealing_id":"01931c5e","sealed_at":"2026-11-30T20:00:01.123456Z","seals":[` +
		`{"position":0,"id":"m1","seal":"a.b.c","digest":"sha256:00","audience_digest":"sha256:01","expires_at":"2026-11-30T20:00:01Z"},` +
		`{"position":1,"id":"m2","seal":"d.e.f","digest":"sha256:02","audience_digest":"sha256:03"}],` +
		`"log":{"index":41,"leaf":"sha256:` + strings.Repeat("0", 64) + `"}}`
	if err != nil || string(got) != want {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
}

// TestWhatIsLeftToTheSeal reads candidates that leave labels out, and writes them again: with a seal it
// is known which were left out, and stating nothing differs from leaving out.
func TestWhatIsLeftToTheSeal(t *testing.T) {
	const (
		audience = policy.LabelAudience
		basis    = policy.LabelAudienceBasis
		shared   = policy.LabelShared
		kind     = policy.LabelKind
		sources  = policy.LabelSources
		all      = audience | basis | shared | kind | sources
	)
	for _, test := range []struct {
		labels string
		want   policy.Labels
	}{
		{``, all},
		{`, "audience": ["a"]`, all &^ audience},
		{`, "audience": null`, all &^ audience},
		{`, "audience": []`, all &^ audience},
		{`, "audience_basis": "recorded"`, all &^ basis},
		{`, "audience_basis": ""`, all &^ basis},
		{`, "shared": false`, all &^ shared},
		{`, "kind": "fact"`, all &^ kind},
		{`, "sources": []`, all &^ sources},
		{`, "sources": [{"audience": ["a"]}]`, all &^ sources},
		{`, "audience": "public", "audience_basis": "x", "shared": true, "kind": "prior", "sources": []`, 0},
	} {
		for _, sealed := range []bool{true, false} {
			item := `{"id": "m"` + test.labels + `}`
			want := policy.Labels(0)
			if sealed {
				item, want = `{"id": "m", "seal": "s"`+test.labels+`}`, test.want
			}
			req, err := wire.DecodeDecision([]byte(body(item)), wire.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			if got := req.Candidates[0].Unstated; got != want {
				t.Errorf("%s leaves out %05b, want %05b", item, got, want)
			}
			written, err := wire.Marshal(wire.EncodeRequest(&req))
			if err != nil {
				t.Fatal(err)
			}
			again, err := wire.DecodeDecision(written, wire.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(req, again, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("%s read again (-first +second):\n%s", item, diff)
			}
		}
	}
}

// FuzzDecodeSealing holds the decoder to its promises: it never panics, refuses with a *wire.Error, and
// what it takes has no faults and the digest of its content.
func FuzzDecodeSealing(f *testing.F) {
	for _, seed := range []string{
		``, `{}`, `[]`, `{"items": []}`, wholeSealing, `{"tenant": "", "items": [{"id": "m", "content": "\ud83d\ude00"}]}`,
		`{"items": [{"id": "m", "content": "x", "digest": "sha256:00"}]}`, `{"items": [{"id": 1}, null, "m"]}`,
	} {
		f.Add([]byte(seed))
	}
	limits := wire.Limits{Body: 1 << 16, Candidates: 20, Members: 20, Sources: 40}
	f.Fuzz(func(t *testing.T, data []byte) {
		req, err := wire.DecodeSealing(data, limits)
		if err != nil {
			if _, ok := errors.AsType[*wire.Error](err); !ok {
				t.Fatalf("error %v is no *wire.Error", err)
			}
			return
		}
		for i, item := range req.Items {
			if len(item.Labels.Faults) > 0 {
				t.Fatalf("item %d has faults: %v", i, item.Labels.Faults)
			}
			if item.Content != "" && !strings.HasPrefix(item.Labels.Digest, "sha256:") {
				t.Fatalf("item %d has content and no digest", i)
			}
		}
	})
}
