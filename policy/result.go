package policy

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

func deny(code string) Result { return Result{Reasons: []string{code}} }

// readResult turns the policy's answer about one candidate into a result. Whatever is missing,
// ill-typed or at odds with itself is a deny: the engine admits on exactly one shape.
func readResult(answer any) Result {
	doc, ok := answer.(map[string]any)
	if !ok || len(doc) != 4 {
		return deny(CodePolicyError)
	}
	admit, ok := doc["admit"].(bool)
	permits, okPermits := readCodes(doc["permits"])
	forbids, okForbids := readCodes(doc["forbids"])
	obligations, okObligations := readCodes(doc["obligations"])
	if !ok || !okPermits || !okForbids || !okObligations {
		return deny(CodePolicyError)
	}
	switch allowed := len(permits) > 0 && len(forbids) == 0; {
	case admit != allowed:
		return deny(CodePolicyError)
	case admit:
		return Result{Admit: true, Reasons: permits, Obligations: obligations}
	case len(forbids) == 0:
		// No permit holds and no forbid says why: a hole in the policy, not an answer.
		return deny(CodePolicyError)
	default:
		return Result{Reasons: forbids}
	}
}

// readCodes returns a set of codes as a sorted list.
func readCodes(value any) ([]string, bool) {
	list, ok := value.([]any)
	if !ok {
		return nil, false
	}
	codes := make([]string, len(list))
	for i, element := range list {
		if codes[i], ok = element.(string); !ok || codes[i] == "" {
			return nil, false
		}
	}
	slices.Sort(codes)
	return slices.Compact(codes), true
}

// readViewers turns the policy's report on the viewers into Viewers. Who is present is worked out
// here, from the turn and the declared bots: the policy may doubt viewers, never drop them.
func (e *Engine) readViewers(report any, turn *Turn) (Viewers, error) {
	doc, ok := report.(map[string]any)
	known, okKnown := doc["known"].(bool)
	reasons, okReasons := readCodes(doc["reasons"])
	if !ok || !okKnown || !okReasons || known != (len(reasons) == 0) {
		return Viewers{}, errors.New("the policy's report on the viewers is ill-formed")
	}
	v := Viewers{Known: known, Reasons: reasons, Digest: ViewersDigest(turn.Viewers)}
	for _, viewer := range turn.Viewers {
		if !e.bots[viewer] {
			v.Present = append(v.Present, viewer)
		}
	}
	return v, nil
}

// ViewersDigest returns "sha256:" and the SHA-256 in hex of a viewer set: of the JSON array of its
// names, sorted by bytes, distinct and without white space (RFC 8785), or of null where the viewers
// are not known.
func ViewersDigest(viewers []string) string {
	text, err := json.Marshal(sortedSet(viewers))
	if err != nil {
		panic(fmt.Sprintf("marshal strings: %v", err))
	}
	sum := sha256.Sum256(text)
	return "sha256:" + hex.EncodeToString(sum[:])
}
