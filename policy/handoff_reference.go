package policy

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
)

// decideAsReference decides a hand-off as the published bleed guard does: gates in the order
// confidential, attribution, authorised sharing, isolation; a gate that is switched off is skipped.
// It fills in all that is answered.
func decideAsReference(e *HandoffEntry) {
	h := &e.Request
	halt := func(code string, v Verdict, sentence, digest string, concerned func(*Element) bool) bool {
		n := 0
		e.Results = make([]Result, len(h.Elements))
		for i := range h.Elements {
			e.Results[i] = Result{ID: h.Elements[i].ID, Reasons: []string{CodeHandoffHalted}}
			if concerned(&h.Elements[i]) {
				e.Results[i].Reasons[0] = code
				n++
			}
		}
		if n > 0 {
			e.Verdict, e.Directive = v, fmt.Sprintf(sentence, n)
			e.ManifestDigest = sha256Hex(digest + strconv.Itoa(n))
		}
		return n > 0
	}
	if !h.Inheritance.AllowConfidential &&
		halt(codeConfidential, BleedDetected, haltConfidential, "CONF_BLEED:", func(el *Element) bool {
			return h.foreign(el) && el.Confidential != NotConfidential
		}) {
		return
	}
	if !h.Inheritance.AllowUnattributed &&
		halt(codeUnattributed, UnattributedContext, haltUnattributed, "NO_ATTR:", func(el *Element) bool {
			return el.Source == ""
		}) {
		return
	}
	if halt(codeAgentNotAuthorized, BleedDetected, haltUnauthorized, "UNAUTH:", func(el *Element) bool {
		return h.foreign(el) && el.Shared && !slices.Contains(h.Inheritance.AuthorizedAgents, el.Source)
	}) {
		return
	}
	proceedAsReference(e)
}

func proceedAsReference(e *HandoffEntry) {
	h := &e.Request
	var from []string
	shared := 0
	for i := range h.Elements {
		el := &h.Elements[i]
		e.Results[i] = Result{ID: el.ID, Admit: true, Reasons: []string{codeIsolated}, Obligations: []string{}}
		if h.foreign(el) {
			e.Results[i].Obligations = []string{obligationLabelSource}
		}
		if h.foreign(el) && el.Shared {
			e.Results[i].Reasons[0] = codeAuthorizedSharing
			from = append(from, el.Source)
			shared++
		}
	}
	if shared == 0 {
		e.Verdict, e.Directive = IsolatedContext, fmt.Sprintf(proceedIsolated, h.Agent)
		e.ManifestDigest = sha256Hex(fmt.Sprintf(`{"agent": %s, "all_local": "TRUE", "elements": "%d"}`,
			asciiJSON(h.Agent), len(h.Elements)))
		return
	}
	from = sortedSet(from)
	for i := range from {
		from[i] = asciiJSON(from[i])
	}
	e.Verdict, e.Directive = AuthorizedSharing, fmt.Sprintf(proceedShared, shared)
	e.ManifestDigest = sha256Hex(fmt.Sprintf(`{"agent": %s, "count": "%d", "shared_from": [%s]}`,
		asciiJSON(h.Agent), shared, strings.Join(from, ", ")))
}

// asciiJSON returns s as a JSON string in which everything beyond ASCII is escaped, in lower-case
// hex and as surrogate pairs, which is how the published guard writes what it hashes.
func asciiJSON(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r >= ' ' && r <= '~': // A name has no control characters.
			b.WriteRune(r)
		default:
			for _, unit := range utf16.Encode([]rune{r}) {
				fmt.Fprintf(&b, `\u%04x`, unit)
			}
		}
	}
	b.WriteByte('"')
	return b.String()
}

func sha256Hex(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}
