package policytest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"earshot/server/wire"
)

// checkGiven returns the place of a text that must be absent and what is wrong with it: one that the
// case holds nowhere would be absent from every answer. An empty problem means that nothing is.
func (w *Want) checkGiven(document *yaml.Node) (where []string, problem string) {
	lists := []struct {
		where  []string
		absent []string
	}{{[]string{"want", "absent"}, w.Absent}}
	if w.Recorded != nil {
		lists = append(lists, struct{ where, absent []string }{[]string{"want", "recorded", "absent"}, w.Recorded.Absent})
	}
	for _, list := range lists {
		for i, s := range list.absent {
			if !given(document, s) {
				return append(list.where, strconv.Itoa(i)), fmt.Sprintf("%s is nowhere in this case, so that it is absent says nothing; name something that is", s)
			}
		}
	}
	return nil, ""
}

// given reports whether a case holds a text in what the service is given.
func given(document *yaml.Node, s string) bool {
	for key, value := range pairs(document) {
		switch key.Value {
		case "world", "request", "handoff", "raw", "facts", "settings":
			if holds(value, s) {
				return true
			}
		}
	}
	return false
}

func holds(node *yaml.Node, s string) bool {
	return node.Kind == yaml.ScalarNode && strings.Contains(node.Value, s) ||
		slices.ContainsFunc(node.Content, func(child *yaml.Node) bool { return holds(child, s) })
}

// checkAbsent returns what is in an answer or a refusal and must not appear.
func checkAbsent(absent []string, text string) string {
	for _, s := range absent {
		if contains(text, s) {
			return fmt.Sprintf("the answer holds %q, which must not appear:\n%s", s, text)
		}
	}
	return ""
}

// checkNames finds those in an answer whom only its fullest form may name.
func checkNames(got *told) string {
	for _, name := range got.names {
		if strings.Contains(got.text, quoted(name)) {
			return fmt.Sprintf("the answer names %q, who is for auditors alone:\n%s", name, got.text)
		}
	}
	return ""
}

// checkCould refuses a text to be absent that could not have come into the answer of a case. The error
// is a *CaseError.
func (c *Case) checkCould(got *told) error {
	for i, s := range c.Want.Absent {
		if contains(got.could, s) {
			continue
		}
		problem := fmt.Sprintf("%s cannot come into this answer, so that it is absent says nothing; leave it out", s)
		if len(got.names) > 0 {
			problem += ", or name somebody whom the answer has for auditors: " + strings.Join(got.names, ", ")
		}
		return c.fault(nil, problem, "want", "absent", strconv.Itoa(i))
	}
	return nil
}

// contains reports whether a text in JSON holds s, as it is or as JSON writes it.
func contains(text, s string) bool {
	inJSON := quoted(s)
	return strings.Contains(text, s) || strings.Contains(text, inJSON[1:len(inJSON)-1])
}

// quoted returns s as a string of JSON.
func quoted(s string) string {
	text, err := wire.Marshal(s)
	if err != nil { // It is not UTF-8, and so no body has it.
		return strconv.Quote(s)
	}
	return string(text)
}

// malformed returns the candidates at positions as they stand in a body. What is wrong with
// them may be quoted in the answer.
func malformed(body []byte, positions []int) string {
	var request struct {
		Candidates []json.RawMessage `json:"candidates"`
	}
	if err := json.Unmarshal(body, &request); err != nil {
		return "" // A body in this form would have been refused.
	}
	var out strings.Builder
	for _, i := range positions {
		if i < len(request.Candidates) {
			out.Write(request.Candidates[i])
		}
	}
	return out.String()
}
