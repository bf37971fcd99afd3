package wire_test

import (
	"os"
	"reflect"
	"strings"
	"testing"

	"earshot/policytest"
	"earshot/server/wire"

	"github.com/google/go-cmp/cmp"
)

// everyMember has each member that an object of the contract can have, and each kind of value.
const everyMember = `{"turn":{"id":"t","attempt":12,"tenant":"x","agent":"a","channel":"c","viewers":["b","a","b"],"viewers_basis":"",
"external_viewers":[],"revoked_viewers":["b"],"evidence":[{"source":"s","viewers":["a"],"complete":false,"observed_at":"2026-11-30T20:00:00+01:00"},
{"viewers":[]}],"attributes":{"k":10,"l":"m n","o":true,"p":null}},
"inheritance":{"authorized_agents":["b"],"prohibit_confidential":false,"require_attribution":true},
"candidates":[{"id":"m","audience":["b","a"],"audience_basis":"recorded","tenant":"x","channel":"c","agent":"a","shared":true,
"confidential":false,"kind":"fact","sources":[{"id":"s","audience":"tenant","tenant":"x","agent":"a","confidential":true,"state":"live",
"expires_at":"2026-11-30T20:00:00Z","sources":[{"audience":null}]},{"sources":[{}]}],"state":"live","recorded_at":"2026-11-30T20:00:00.5Z",
"expires_at":"2026-12-30T20:00:00Z","digest":"d","seal":"e","store":"v","attributes":{}},{"id":"n","audience":"public","sources":[]},{"id":"o","audience":[]},
{"id":"p","sources":[{"audience":["a]","b"]}]}]}`

// agree reads body with the scanner, without a memory of audiences and twice with the one of warm, and
// fails where it takes what the reader refuses or reads it otherwise. It reports whether body is ordinary.
func agree(t *testing.T, warm, cold *wire.Decoder, limits wire.Limits, body []byte) bool {
	t.Helper()
	want, err := wire.Reference(body, limits)
	ordinary := false
	for i, d := range []*wire.Decoder{cold, warm, warm} {
		got, ok := d.Scan(body)
		if i > 0 && ok != ordinary {
			t.Fatalf("reading %d: ordinary is %t, was %t:\n%s", i, ok, ordinary, body)
		}
		if ordinary = ok; !ok {
			continue
		}
		if err != nil {
			t.Fatalf("reading %d: took what the reader refuses: %v\n%s", i, err, body)
		}
		for k := range want.Candidates {
			if want.Candidates[k].Faults != nil {
				t.Fatalf("reading %d: took a candidate with faults %v\n%s", i, want.Candidates[k].Faults, body)
			}
		}
		if !reflect.DeepEqual(want, got) { // tells nil from empty
			t.Fatalf("reading %d (-reader +scanner):\n%s\n%s", i, cmp.Diff(want, got), body)
		}
	}
	return ordinary
}

// Each body one byte away from an ordinary one: that byte left out, doubled or replaced.
func TestScanAgreesOneByteAway(t *testing.T) {
	warm, cold := newDecoder(t, wire.Limits{}, cacheMemory), newDecoder(t, wire.Limits{}, 0)
	if !agree(t, warm, cold, wire.Limits{}, []byte(everyMember)) {
		t.Fatal("the body with every member is not ordinary")
	}
	for i := range everyMember {
		before, b, after := everyMember[:i], everyMember[i:i+1], everyMember[i+1:]
		agree(t, warm, cold, wire.Limits{}, []byte(before))
		for _, other := range []string{"", b + b, "\x00", "\t", " ", "\x1f", "\"", "\\", "\x7f", "\xff", "é", "0", "1", "-", ".", ",", ":", "[", "]", "{", "}", "n", "A"} {
			agree(t, warm, cold, wire.Limits{}, []byte(before+other+after))
		}
	}
}

func TestScanAgreesWithEachCase(t *testing.T) {
	warm, cold := newDecoder(t, wire.Limits{}, cacheMemory), newDecoder(t, wire.Limits{}, 0)
	ordinary := 0
	for _, body := range caseBodies(t) {
		if agree(t, warm, cold, wire.Limits{}, body) {
			ordinary++
		}
	}
	if ordinary == 0 {
		t.Error("no case is ordinary")
	}
}

func caseBodies(tb testing.TB) [][]byte {
	cases, err := policytest.Read(os.DirFS("../../policytest/cases"))
	if err != nil {
		tb.Fatal(err)
	}
	var bodies [][]byte
	for _, c := range cases {
		body, err := c.Body()
		if err != nil {
			tb.Fatal(err)
		}
		bodies = append(bodies, body)
	}
	return bodies
}

// What is just inside a bound of the scanner or the contract, and what is just outside.
func TestOrdinary(t *testing.T) {
	limits := wire.Limits{Body: 1000, Candidates: 2, Members: 2, Sources: 3}
	warm, cold := newDecoder(t, limits, cacheMemory), newDecoder(t, limits, 0)
	nested := func(depth int) string {
		return `{"id":"m"` + strings.Repeat(`,"sources":[{"id":"s"`, depth) + strings.Repeat(`}]`, depth) + `}`
	}
	const m = `{"id":"m"}`
	tests := map[string]struct {
		body string
		want bool
	}{
		"candidates at the limit":    {body(m + "," + m), true},
		"candidates over the limit":  {body(m + "," + m + "," + m), false},
		"members at the limit":       {body(`{"id":"m","audience":["a","a"]}`), true},
		"members over the limit":     {body(`{"id":"m","audience":["a","a","a"]}`), false},
		"sources at the limit":       {body(`{"id":"m","sources":[{},{}]},{"id":"m","sources":[{}]}`), true},
		"sources over the limit":     {body(`{"id":"m","sources":[{},{}]},{"id":"m","sources":[{},{}]}`), false},
		"nested":                     {body(nested(3)), true},
		"body at the limit":          {body(m) + strings.Repeat(" ", 1000-len(body(m))), true},
		"body over the limit":        {body(m) + strings.Repeat(" ", 1001-len(body(m))), false},
		"white space":                {" \r\n\t" + body(" { \"id\" : \"m\" , \"audience\" : [ \"a\"\n,\t\"b\" ] } ") + " ", true},
		"a second object":            {body(m) + "{}", false},
		"a member twice":             {body(`{"id":"m","id":"m"}`), false},
		"an attribute twice":         {body(`{"id":"m","attributes":{"a":1,"a":1}}`), false},
		"a list in the attributes":   {body(`{"id":"m","attributes":{"a":[]}}`), false},
		"white space in attributes":  {body(`{"id":"m","attributes":{ "a" : 1 , "b c" : " " }}`), true},
		"a member of another object": {body(`{"id":"m","attempt":1}`), false},
		"no id":                      {body(`{}`), false},
		"no turn":                    {`{"candidates":[]}`, false},
		"no candidates":              {`{"turn":{"agent":"a"}}`, false},
		"viewers not known":          {`{"turn":{"agent":"a","viewers":null},"candidates":[]}`, true},
		"an attempt too long":        {`{"turn":{"agent":"a","attempt":1000000000000000},"candidates":[]}`, false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got := agree(t, warm, cold, limits, []byte(test.body)); got != test.want {
				t.Errorf("ordinary is %t, want %t:\n%s", got, test.want, test.body)
			}
		})
	}
}

// A cache that is far too small, and lists that end inside one another.
func TestAudiencesAreKeptApart(t *testing.T) {
	cold := newDecoder(t, wire.Limits{}, 0)
	for _, memory := range []int{1, 8 << 10, cacheMemory} {
		warm := newDecoder(t, wire.Limits{}, memory)
		for range 3 {
			for _, list := range []string{
				`["a"]`, `["a","b"]`, `["b","a"]`, `["a" ]`, `["a]"]`, `["a]","b"]`, `["a]`, `["a"`, `["a","b",]`, `[]`, `["a",["b"]]`, `["a","]"]`, `[""]`,
				`["a"]]`, `["` + strings.Repeat("a", 5000) + `"]`,
			} {
				agree(t, warm, cold, wire.Limits{}, []byte(body(`{"id":"m","audience":`+list+`},{"id":"n","audience":["c"]}`)))
			}
		}
	}
}

// FuzzScanAgrees holds the scanner to the reader.
func FuzzScanAgrees(f *testing.F) {
	f.Add([]byte(everyMember))
	f.Add(ordinaryBody(f, 2, 3))
	for _, body := range caseBodies(f) {
		f.Add(body)
	}
	limits := wire.Limits{Body: 1 << 16, Candidates: 20, Members: 20, Sources: 40}
	f.Fuzz(func(t *testing.T, data []byte) {
		agree(t, newDecoder(t, limits, 1<<16), newDecoder(t, limits, 0), limits, data)
	})
}
