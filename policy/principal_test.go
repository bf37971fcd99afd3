package policy_test

import (
	"strings"
	"testing"

	"earshot/policy"
)

func TestNamesAndLabels(t *testing.T) {
	type allowed struct{ principal, name, label bool }
	everywhere, nowhere := allowed{true, true, true}, allowed{}
	labelOnly := allowed{label: true}
	for title, test := range map[string]struct {
		text string
		want allowed
	}{
		"plain":                          {"user:ann", everywhere},
		"every printable ASCII sign":     {"!\"#$%&'()*+,-./09:;<=>?@AZ[\\]^_`az{|}~", everywhere},
		"another script":                 {"user:安", everywhere},
		"a ligature, which form C keeps": {"user:\ufb01", everywhere},
		"one byte":                       {"a", everywhere},
		"256 bytes":                      {strings.Repeat("a", 256), everywhere},
		"256 bytes of two each":          {strings.Repeat("é", 128), everywhere},
		"a word in another case":         {"Public", everywhere},
		"a word and more":                {"public:", everywhere},
		"everybody":                      {"public", allowed{name: true, label: true}},
		"the tenant":                     {"tenant", allowed{name: true, label: true}},
		"any":                            {"*", allowed{name: true, label: true}},
		"257 bytes":                      {strings.Repeat("a", 257), labelOnly},
		"258 bytes in 129 signs":         {strings.Repeat("é", 129), labelOnly},
		"1024 bytes":                     {strings.Repeat("a", 1024), labelOnly},
		"1024 bytes in 512 signs":        {strings.Repeat("é", 512), labelOnly},
		"a space":                        {"user: ann", labelOnly},
		"a space at the end":             {"user:ann ", labelOnly},
		"a no-break space":               {"user:\u00a0ann", labelOnly},
		"an ideographic space":           {"user:\u3000ann", labelOnly},
		"a line separator":               {"user:\u2028ann", labelOnly},
		"a paragraph separator":          {"user:\u2029ann", labelOnly},
		"nothing":                        {"", nowhere},
		"1025 bytes":                     {strings.Repeat("a", 1025), nowhere},
		"1026 bytes in 513 signs":        {strings.Repeat("é", 513), nowhere},
		"no UTF-8":                       {"user:\xff", nowhere},
		"half a sign":                    {"user:\xc3", nowhere},
		"a surrogate":                    {"user:\xed\xa0\x80", nowhere},
		"not normal form C":              {"user:e\u0301", nowhere},
		"a NUL":                          {"user:\x00", nowhere},
		"a tab":                          {"user:\t", nowhere},
		"the last control sign of ASCII": {"user:\x7f", nowhere},
		"a control sign beyond ASCII":    {"user:\u0085", nowhere},
		"a zero-width space":             {"user:\u200b", nowhere},
		"a change of direction":          {"user:\u202e", nowhere},
	} {
		t.Run(title, func(t *testing.T) {
			got := allowed{
				principal: policy.CheckPrincipal(test.text) == nil,
				name:      policy.CheckName(test.text) == nil,
				label:     policy.CheckLabel(test.text) == nil,
			}
			if got != test.want {
				t.Errorf("%q is allowed as %+v, want %+v", test.text, got, test.want)
			}
		})
	}
}
