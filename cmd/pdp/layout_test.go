package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestLayout(t *testing.T) {
	const long = `"a string that is so long that nothing else can stand beside it on a line of one hundred and ten bytes or so"`
	tests := map[string]struct{ in, want string }{
		"fits":           {`{"a":[1,2],"b":{"c":null}}`, `{"a": [1, 2], "b": {"c": null}}`},
		"empty":          {`{}`, `{}`},
		"long":           {`{"b":` + long + `,"a":[1,2]}`, "{\n  \"b\": " + long + ",\n  \"a\": [1, 2]\n}"},
		"long in a list": {`[[` + long + `],3]`, "[\n  [\n    " + long + "\n  ],\n  3\n]"},
		"spelling stays": {`{"a":"\u0041","n":1.0}`, `{"a": "\u0041", "n": 1.0}`},
		"not JSON":       {`<html>`, `<html>`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, string(layout([]byte(tt.in)))); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}
