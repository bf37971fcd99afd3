package wire_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"earshot/policy"
	"earshot/server/wire"
)

func TestDecodeDecisionRefusals(t *testing.T) {
	const rest = `, "candidates": []}`
	tests := map[string]struct {
		body    string
		code    string
		pointer string
	}{
		"empty":                    {"", wire.CodeInvalidJSON, ""},
		"white space":              {" \n", wire.CodeInvalidJSON, ""},
		"list":                     {"[]", wire.CodeInvalidJSON, ""},
		"null":                     {"null", wire.CodeInvalidJSON, ""},
		"string":                   {`"x"`, wire.CodeInvalidJSON, ""},
		"cut short":                {`{"turn": {"agent": "a"`, wire.CodeInvalidJSON, ""},
		"cut in a candidate":       {`{"turn": {"agent": "a"}, "candidates": [{"id": "m1"`, wire.CodeInvalidJSON, ""},
		"trailing comma":           {`{"turn": {"agent": "a"}, "candidates": [],}`, wire.CodeInvalidJSON, ""},
		"value left out":           {`{"turn": , "candidates": []}`, wire.CodeInvalidJSON, ""},
		"trailing object":          {`{"turn": {"agent": "a"}` + rest + `{}`, wire.CodeInvalidJSON, ""},
		"trailing garbage":         {`{"turn": {"agent": "a"}` + rest + `x`, wire.CodeInvalidJSON, ""},
		"byte order mark":          {"\ufeff" + `{"turn": {"agent": "a"}` + rest, wire.CodeInvalidJSON, ""},
		"top level repeated":       {`{"turn": {"agent": "a"}, "turn": {"agent": "a"}` + rest, wire.CodeInvalidJSON, ""},
		"turn field repeated":      {`{"turn": {"agent": "a", "viewers": [], "viewers": ["b"]}` + rest, wire.CodeInvalidJSON, ""},
		"escaped repetition":       {`{"turn": {"agent": "a", "\u0061gent": "b"}` + rest, wire.CodeInvalidJSON, ""},
		"candidate field repeated": {body(`{"id": "m1", "audience": ["user:b"], "audience": "public"}`), wire.CodeInvalidJSON, ""},
		"unknown field repeated":   {body(`{"id": "m1", "x": {"y": 1, "y": 2}}`), wire.CodeInvalidJSON, ""},
		"attribute repeated":       {`{"turn": {"agent": "a", "attributes": {"k": 1, "k": 2}}` + rest, wire.CodeInvalidJSON, ""},
		"invalid UTF-8":            {"{\"turn\": {\"agent\": \"a\xff\"}" + rest, wire.CodeInvalidJSON, ""},
		"lone surrogate":           {`{"turn": {"agent": "a\ud800"}` + rest, wire.CodeInvalidJSON, ""},
		"nested too deep": {
			`{"turn": {"agent": "a", "attributes": {"k": ` + strings.Repeat("[", 126) + strings.Repeat("]", 126) + `}}` + rest,
			wire.CodeInvalidJSON, "",
		},
		"turn missing":                 {`{"candidates": []}`, wire.CodeInvalidRequest, "/turn"},
		"turn null":                    {`{"turn": null` + rest, wire.CodeInvalidRequest, "/turn"},
		"turn a list":                  {`{"turn": []` + rest, wire.CodeInvalidRequest, "/turn"},
		"candidates missing":           {`{"turn": {"agent": "a"}}`, wire.CodeInvalidRequest, "/candidates"},
		"candidates null":              {`{"turn": {"agent": "a"}, "candidates": null}`, wire.CodeInvalidRequest, "/candidates"},
		"candidates an object":         {`{"turn": {"agent": "a"}, "candidates": {}}`, wire.CodeInvalidRequest, "/candidates"},
		"candidates after a bad turn":  {`{"turn": {"agent": 1}, "candidates": [{}]}`, wire.CodeInvalidRequest, "/turn/agent"},
		"candidates before a bad turn": {`{"candidates": [{}], "turn": {"agent": 1}}`, wire.CodeInvalidRequest, "/turn/agent"},
		"top level unknown":            {`{"turn": {"agent": "a"}, "audiences": {}` + rest, wire.CodeInvalidRequest, "/audiences"},
		"turn field unknown":           {`{"turn": {"agent": "a", "viewer": ["b"]}` + rest, wire.CodeInvalidRequest, "/turn/viewer"},
		"turn field in capitals":       {`{"turn": {"agent": "a", "Viewers": ["b"]}` + rest, wire.CodeInvalidRequest, "/turn/Viewers"},
		"unknown field with a slash":   {`{"turn": {"agent": "a", "a/b~c": 1}` + rest, wire.CodeInvalidRequest, "/turn/a~1b~0c"},
		"inheritance unknown":          {`{"turn": {"agent": "a"}, "inheritance": {"x": 1}` + rest, wire.CodeInvalidRequest, "/inheritance/x"},
		"inheritance null":             {`{"turn": {"agent": "a"}, "inheritance": null` + rest, wire.CodeInvalidRequest, "/inheritance"},
		"inheritance agents a string": {
			`{"turn": {"agent": "a"}, "inheritance": {"authorized_agents": "agent:b"}` + rest,
			wire.CodeInvalidRequest, "/inheritance/authorized_agents",
		},
		"prohibit_confidential a string": {
			`{"turn": {"agent": "a"}, "inheritance": {"prohibit_confidential": "true"}` + rest,
			wire.CodeInvalidRequest, "/inheritance/prohibit_confidential",
		},
		"agent missing":        {`{"turn": {}` + rest, wire.CodeInvalidRequest, "/turn/agent"},
		"agent null":           {`{"turn": {"agent": null}` + rest, wire.CodeInvalidRequest, "/turn/agent"},
		"viewers a string":     {`{"turn": {"agent": "a", "viewers": "user:ann"}` + rest, wire.CodeInvalidRequest, "/turn/viewers"},
		"viewer a number":      {`{"turn": {"agent": "a", "viewers": ["b", 1]}` + rest, wire.CodeInvalidRequest, "/turn/viewers/1"},
		"viewer null":          {`{"turn": {"agent": "a", "viewers": [null]}` + rest, wire.CodeInvalidRequest, "/turn/viewers/0"},
		"external null":        {`{"turn": {"agent": "a", "external_viewers": null}` + rest, wire.CodeInvalidRequest, "/turn/external_viewers"},
		"tenant empty":         {`{"turn": {"agent": "a", "tenant": ""}` + rest, wire.CodeInvalidRequest, "/turn/tenant"},
		"tenant null":          {`{"turn": {"agent": "a", "tenant": null}` + rest, wire.CodeInvalidRequest, "/turn/tenant"},
		"attempt zero":         {`{"turn": {"agent": "a", "attempt": 0}` + rest, wire.CodeInvalidRequest, "/turn/attempt"},
		"attempt negative":     {`{"turn": {"agent": "a", "attempt": -1}` + rest, wire.CodeInvalidRequest, "/turn/attempt"},
		"attempt a fraction":   {`{"turn": {"agent": "a", "attempt": 1.0}` + rest, wire.CodeInvalidRequest, "/turn/attempt"},
		"attempt an exponent":  {`{"turn": {"agent": "a", "attempt": 1e0}` + rest, wire.CodeInvalidRequest, "/turn/attempt"},
		"attempt a string":     {`{"turn": {"agent": "a", "attempt": "1"}` + rest, wire.CodeInvalidRequest, "/turn/attempt"},
		"attempt too great":    {`{"turn": {"agent": "a", "attempt": 9007199254740992}` + rest, wire.CodeInvalidRequest, "/turn/attempt"},
		"attempt out of range": {`{"turn": {"agent": "a", "attempt": 99999999999999999999}` + rest, wire.CodeInvalidRequest, "/turn/attempt"},
		"attributes a list":    {`{"turn": {"agent": "a", "attributes": []}` + rest, wire.CodeInvalidRequest, "/turn/attributes"},
		"attributes null":      {`{"turn": {"agent": "a", "attributes": null}` + rest, wire.CodeInvalidRequest, "/turn/attributes"},
		"attribute no double":  {`{"turn": {"agent": "a", "attributes": {"n": 1e400}}` + rest, wire.CodeInvalidRequest, "/turn/attributes"},
		"evidence an object":   {`{"turn": {"agent": "a", "evidence": {}}` + rest, wire.CodeInvalidRequest, "/turn/evidence"},
		"reading a string":     {`{"turn": {"agent": "a", "evidence": ["x"]}` + rest, wire.CodeInvalidRequest, "/turn/evidence/0"},
		"reading without viewers": {
			`{"turn": {"agent": "a", "evidence": [{"viewers": []}, {"source": "x"}]}` + rest,
			wire.CodeInvalidRequest, "/turn/evidence/1/viewers",
		},
		"reading with null viewers": {
			`{"turn": {"agent": "a", "evidence": [{"viewers": null}]}` + rest,
			wire.CodeInvalidRequest, "/turn/evidence/0/viewers",
		},
		"reading unknown": {
			`{"turn": {"agent": "a", "evidence": [{"viewers": [], "at": 1}]}` + rest,
			wire.CodeInvalidRequest, "/turn/evidence/0/at",
		},
		"reading without a zone": {
			`{"turn": {"agent": "a", "evidence": [{"viewers": [], "observed_at": "2026-11-30T20:00:00"}]}` + rest,
			wire.CodeInvalidRequest, "/turn/evidence/0/observed_at",
		},
		"reading at the zero time": {
			`{"turn": {"agent": "a", "evidence": [{"viewers": [], "observed_at": "0001-01-01T00:00:00Z"}]}` + rest,
			wire.CodeInvalidRequest, "/turn/evidence/0/observed_at",
		},
		"complete a number": {
			`{"turn": {"agent": "a", "evidence": [{"viewers": [], "complete": 1}]}` + rest,
			wire.CodeInvalidRequest, "/turn/evidence/0/complete",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := wire.DecodeDecision([]byte(test.body), wire.Limits{})
			refusal, ok := errors.AsType[*wire.Error](err)
			if !ok {
				t.Fatalf("error %v, want a *wire.Error", err)
			}
			if refusal.Code != test.code || refusal.Pointer != test.pointer || refusal.Detail == "" {
				t.Errorf("refusal %q at %q (%s), want %q at %q",
					refusal.Code, refusal.Pointer, refusal.Detail, test.code, test.pointer)
			}
			if diff := cmp.Diff(policy.Request{}, got); diff != "" {
				t.Errorf("request beside an error:\n%s", diff)
			}
		})
	}
}

func TestDecodeDecisionLimits(t *testing.T) {
	tests := map[string]struct {
		limits  wire.Limits
		body    string
		pointer string
		refused bool
	}{
		"body at the limit":     {wire.Limits{Body: 40}, `{"turn":{"agent":"abc"},"candidates":[]} `, "", true},
		"body under the limit":  {wire.Limits{Body: 40}, `{"turn":{"agent":"abc"},"candidates":[]}`, "", false},
		"two candidates":        {wire.Limits{Candidates: 2}, body(`{}, {}`), "", false},
		"three candidates":      {wire.Limits{Candidates: 2}, body(`{}, {}, {}`), "/candidates", true},
		"two members":           {wire.Limits{Members: 2}, body(`{"audience": ["a", "a"]}`), "", false},
		"three members":         {wire.Limits{Members: 2}, body(`{"audience": ["a", "a", "a"]}`), "/candidates/0/audience", true},
		"three source members":  {wire.Limits{Members: 2}, body(`{"sources": [{"audience": [1, 2, 3]}]}`), "/candidates/0/sources/0/audience", true},
		"two viewers":           {wire.Limits{Members: 1}, `{"turn": {"agent": "a", "viewers": ["b", "c"]}, "candidates": []}`, "/turn/viewers", true},
		"two sources":           {wire.Limits{Sources: 2}, body(`{"sources": [{}]}, {"sources": [{}]}`), "", false},
		"three sources":         {wire.Limits{Sources: 2}, body(`{"sources": [{}]}, {"sources": [{}, {}]}`), "/candidates", true},
		"three sources in line": {wire.Limits{Sources: 2}, body(`{"sources": [{"sources": [{"sources": [{}]}]}]}`), "/candidates", true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := wire.DecodeDecision([]byte(test.body), test.limits)
			if !test.refused {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			refusal, ok := errors.AsType[*wire.Error](err)
			if !ok || refusal.Code != wire.CodeTooLarge || refusal.Pointer != test.pointer {
				t.Errorf("error %v, want %s at %q", err, wire.CodeTooLarge, test.pointer)
			}
		})
	}
}

func TestAsError(t *testing.T) {
	own := &wire.Error{Code: wire.CodeTooLarge, Detail: "x"}
	if got, ok := wire.AsError(own); !ok || got != own {
		t.Errorf("AsError(%v) = %v, %t", own, got, ok)
	}
	got, ok := wire.AsError(&policy.InvalidError{Pointer: "/turn/agent", Problem: "must not be empty"})
	want := &wire.Error{Code: wire.CodeInvalidRequest, Pointer: "/turn/agent", Detail: "must not be empty"}
	if diff := cmp.Diff(want, got); !ok || diff != "" {
		t.Errorf("AsError (-want +got):\n%s", diff)
	}
	if got, ok := wire.AsError(errors.New("other")); ok {
		t.Errorf("AsError of another error = %v", got)
	}
}
