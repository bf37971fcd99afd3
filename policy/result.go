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

// readResult turns the policy's answer about one candidate into a result. The engine admits on
// exactly one shape; whatever is missing, ill-typed or at odds with itself is an error.
func readResult(answer any) (Result, error) {
	doc, ok := answer.(map[string]any)
	if !ok || len(doc) != 4 {
		return Result{}, errors.New("the answer is not an object of admit, permits, forbids and obligations")
	}
	admit, ok := doc["admit"].(bool)
	if !ok {
		return Result{}, errors.New("admit is not a boolean")
	}
	var sets [3][]string
	for i, name := range []string{"permits", "forbids", "obligations"} {
		if sets[i], ok = readCodes(doc[name]); !ok {
			return Result{}, fmt.Errorf("%s is not a set of codes", name)
		}
	}
	permits, forbids, obligations := sets[0], sets[1], sets[2]
	switch allowed := len(permits) > 0 && len(forbids) == 0; {
	case admit != allowed:
		return Result{}, fmt.Errorf("admit is %t with the permits %q and the forbids %q", admit, permits, forbids)
	case admit:
		return Result{Admit: true, Reasons: permits, Obligations: obligations}, nil
	case len(forbids) == 0:
		return Result{}, errors.New("no permit holds and no forbid says why")
	default:
		return Result{Reasons: forbids}, nil
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
	return Viewers{
		Known:   known,
		Reasons: reasons,
		Present: e.withoutBots(turn.Viewers),
		Digest:  ViewersDigest(turn.Viewers),
	}, nil
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
