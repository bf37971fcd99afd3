package policytest_test

import (
	"regexp"
	"strings"

	"golang.org/x/text/unicode/norm"

	"earshot/policy"
)

// decoders read a body as something else than it says.
func decoders() []mutant {
	return []mutant{
		label("a null audience is public", "null_and_default", func(l fields) {
			if value, stated := l["audience"]; stated && value == nil {
				l["audience"] = "public"
			}
		}),
		label("a missing audience is public", "derived/a_summariser_that", func(l fields) {
			if _, stated := l["audience"]; !stated {
				l["audience"] = "public"
			}
		}),
		label("an empty audience is public", "null_and_default/emptying", func(l fields) {
			if names, ok := l["audience"].([]any); ok && len(names) == 0 {
				l["audience"] = "public"
			}
		}),
		label("null is the same as missing", "derived/a_null_audience", func(l fields) {
			for name, value := range l {
				if value == nil {
					delete(l, name)
				}
			}
		}),
		label("a text of names is split at the commas", "types/the_names_of_an_audience", func(l fields) {
			if text, ok := l["audience"].(string); ok && text != "public" && text != "tenant" {
				l["audience"] = anyOf(strings.Split(text, ","))
			}
		}),
		label("one name is a list of one", "types/one_name", func(l fields) {
			if text, ok := l["audience"].(string); ok && strings.HasPrefix(text, "user:") {
				l["audience"] = []any{text}
			}
		}),
		label("an asterisk among the members is everybody", "null_and_default/an_asterisk", memberMeans("*", "public")),
		label("the word public among the members is everybody", "null_and_default/the_word_public", memberMeans("public", "public")),
		label("members that are no names are passed over", "types/null_among_the_members", func(l fields) {
			if names, ok := l["audience"].([]any); ok {
				l["audience"] = onlyTexts(names)
			}
		}),
		label("confidential is false unless stated", "laundering", unless("confidential", false)),
		label("shared is true unless stated", "cross_agent", unless("shared", true)),
		label("an unknown field is passed over", "types/an_unknown_field", func(l fields) {
			for name := range l {
				if !known(name) {
					delete(l, name)
				}
			}
		}),
		label("the words true and false are booleans", "types/the_word_true", func(l fields) {
			for name, value := range l {
				if value == "true" || value == "false" {
					l[name] = value == "true"
				}
			}
		}),
		label("a time without a zone is in UTC", "expiry/an_expiry_without", timeAs(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$`, "${0}Z")),
		label("a date is its midnight", "expiry/a_date_without", timeAs(`^\d{4}-\d\d-\d\d$`, "${0}T00:00:00Z")),
		label("the zone of a time is cut off", "expiry", timeAs(`[+-]\d\d:\d\d$`, "Z")),
		label("a time that is no text is none", "expiry/a_number_is", func(l fields) {
			if _, ok := l["expires_at"].(string); !ok {
				delete(l, "expires_at")
			}
		}),
		label("an item without a tenant is everybody's", "tenants", func(l fields) {
			if _, stated := l["tenant"]; !stated {
				l["audience"] = "public"
			}
		}),
		label("an imported row is live", "migration/an_imported_row", func(l fields) {
			if l["state"] == "imported" {
				l["state"] = "live"
			}
		}),
		label("an audience among the attributes is the audience", "caller_chosen_scope", func(l fields) {
			if attributes, ok := l["attributes"].(fields); ok && attributes["audience"] != nil {
				l["audience"] = attributes["audience"]
			}
		}),

		names("white space around a name is trimmed", "ids/an_audience_member_with", strings.TrimSpace),
		names("names are folded to lower case", "ids/names_that_differ_in_case", strings.ToLower),
		names("names are brought into normal form C", "ids/a_viewer_outside", norm.NFC.String),
		names("names are brought into normal form KC", "ids/a_name_in_wide", norm.NFKC.String),
		names("invisible characters are dropped from names", "ids/an_invisible", func(name string) string {
			return strings.NewReplacer("\u200b", "", "\u200d", "", "\u202e", "", "\ufeff", "").Replace(name)
		}),
		names("letters that look alike are one letter", "ids/a_letter_of", strings.NewReplacer("\u0430", "a", "\u0435", "e", "\u043e", "o").Replace),
		names("long names are cut", "ids/a_name_as_long", func(name string) string { return name[:min(len(name), 64)] }),
		names("a name ends at its first sign", "ids/names_that_differ_in_punctuation", func(name string) string {
			return regexp.MustCompile(`[-_.].*$`).ReplaceAllString(name, "")
		}),

		whole("no viewers and an empty list are the same", "null_and_default/a_turn_without", func(root fields) {
			if turn, ok := root["turn"].(fields); ok && turn["viewers"] == nil {
				turn["viewers"] = []any{}
			}
		}),
		whole("an unknown field of the request is passed over", "types/an_unknown_field_at", func(root fields) {
			for name := range root {
				if name != "turn" && name != "inheritance" && name != "candidates" {
					delete(root, name)
				}
			}
		}),
		whole("an unknown field of the turn is passed over", "bots/an_override", func(root fields) {
			if turn, ok := root["turn"].(fields); ok {
				delete(turn, "override")
			}
		}),
		whole("viewers in one text are split at the commas", "types/a_viewer_list", func(root fields) {
			if turn, ok := root["turn"].(fields); ok {
				if text, ok := turn["viewers"].(string); ok {
					turn["viewers"] = anyOf(strings.Split(text, ","))
				}
			}
		}),
		whole("without inheritance both switches are off", "cross_agent/a_turn_without", func(root fields) {
			if root["inheritance"] == nil {
				root["inheritance"] = fields{"prohibit_confidential": false, "require_attribution": false}
			}
		}),
		whole("a reading is complete whatever it says", "rosters", func(root fields) {
			if turn, ok := root["turn"].(fields); ok {
				for _, reading := range objects(turn["evidence"]) {
					reading["complete"] = true
				}
			}
		}),
		reads("the last of two equal names wins", "types", loosely),
		reads("a malformed candidate is read as far as it can be", "types/a_list_flattened", func(body []byte) (policy.Request, error) {
			req, err := strictly(body)
			for i := range req.Candidates {
				req.Candidates[i].Faults = nil
			}
			return req, err
		}),
		reads("a malformed candidate is passed over", "types/a_fault_of_one", func(body []byte) (policy.Request, error) {
			req, err := strictly(body)
			var sound []policy.Candidate
			for _, c := range req.Candidates {
				if len(c.Faults) == 0 {
					sound = append(sound, c)
				}
			}
			req.Candidates = sound
			return req, err
		}),
	}
}
