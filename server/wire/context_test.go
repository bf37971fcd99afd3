package wire_test

import (
	"errors"
	"strings"
	"testing"

	"earshot/server/wire"
)

// FuzzDecodeContextCheck holds the decoder to its promises: it never panics, and what it took has a
// digest, and an item or a text, for every segment.
func FuzzDecodeContextCheck(f *testing.F) {
	for _, seed := range []string{
		`{}`, `{"decision_id": "d", "turn": {"agent": "a"}, "segments": []}`,
		`{"decision_id": "d", "turn": {"agent": "a"}, "segments": [{"item_id": "m", "digest": "sha256:00"}, {"text": ""}, {"text": "x"}]}`,
		`{"context_id": "c", "turn": {"agent": "a"}, "segments": [null, {}, 1]}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		req, err := wire.DecodeContextCheck(data, wire.Limits{Body: 1 << 16})
		if err != nil {
			if _, ok := errors.AsType[*wire.Error](err); !ok {
				t.Fatalf("error %v is no *wire.Error", err)
			}
			return
		}
		if (req.Check.DecisionID == "") == (req.ContextID == "") {
			t.Fatal("not exactly one id")
		}
		for _, s := range req.Check.Segments {
			if s.Digest == "" || s.Text != "" && !strings.HasPrefix(s.Digest, "sha256:") {
				t.Fatalf("segment without a digest: %+v", s)
			}
		}
	})
}
