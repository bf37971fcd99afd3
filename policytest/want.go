package policytest

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"earshot/policy"
	"earshot/server/wire"
)

// manifestDigest is the form of one.
var manifestDigest = regexp.MustCompile(`^[0-9a-f]{64}$`)

// check is check for what a case asserts, of a hand-off or of a decision.
func (w *Want) check(handoff bool) (where []string, problem string) {
	decided := w.Viewers != nil || w.Results != nil || w.Verdict != "" || w.Directive != "" || w.ManifestDigest != ""
	switch {
	case w.Refused != nil && decided:
		return nil, "a refused request has neither viewers nor results nor a verdict; leave out one or the other"
	case w.Refused != nil:
		return w.checkRefused()
	case !decided && handoff:
		return nil, "want asserts nothing: give refused, or verdict, directive and results"
	case !decided:
		return nil, "want asserts nothing: give refused, or viewers and results"
	case handoff:
		where, problem = w.checkHandoff()
	default:
		where, problem = w.checkDecision()
	}
	if problem != "" {
		return where, problem
	}
	return w.checkAnswer()
}

// checkDecision is check for what only the answer to a decision has.
func (w *Want) checkDecision() (where []string, problem string) {
	switch {
	case w.ManifestDigest != "":
		return []string{"manifest_digest"}, "only the answer to a hand-off has a manifest digest; leave it out"
	case w.Viewers == nil || w.Viewers.Status == "":
		return nil, "want has no viewers with a status; say known or ambiguous"
	case w.Viewers.Status != "known" && w.Viewers.Status != "ambiguous":
		return []string{"viewers", "status"}, fmt.Sprintf("viewers are known or ambiguous, and these are %s", w.Viewers.Status)
	}
	return nil, ""
}

// checkHandoff is check for what only the answer to a hand-off has.
func (w *Want) checkHandoff() (where []string, problem string) {
	switch r := w.Recorded; {
	case w.Viewers != nil:
		return []string{"viewers"}, "a hand-off has no viewers; leave them out"
	case w.Verdict == "" || w.Directive == "":
		return nil, "want has no verdict with its directive; give both"
	case w.ManifestDigest != "" && !manifestDigest.MatchString(w.ManifestDigest):
		return []string{"manifest_digest"}, "a manifest digest is 64 hex digits in lower case"
	case r != nil && (r.Channel != "" || r.Tenant != "" || r.Viewers != nil):
		return []string{"recorded"}, "the record of a hand-off has no channel, tenant or viewers; leave them out"
	}
	return nil, ""
}

// checkAnswer is check for what every answer has.
func (w *Want) checkAnswer() (where []string, problem string) {
	switch {
	case w.Results == nil:
		return nil, "want has no results; give one for each thing that is asked about, or an empty list"
	case w.Verdict != "" && !slices.Contains(verdicts(), w.Verdict):
		return []string{"verdict"}, fmt.Sprintf("a verdict is one of %s, and this one is %s", strings.Join(verdicts(), ", "), w.Verdict)
	case w.Recorded != nil && w.Recorded.empty():
		return []string{"recorded"}, "recorded asserts nothing: give agent, channel, tenant, viewers, admitted, denied or absent"
	}
	for i := range w.Results {
		if len(w.Results[i].Reasons) == 0 {
			return []string{"results", strconv.Itoa(i)}, fmt.Sprintf("result %d has no reasons; every answer gives some", i)
		}
	}
	return nil, ""
}

// checkRefused is check for the refusal of a request.
func (w *Want) checkRefused() (where []string, problem string) {
	codes := []string{wire.CodeInvalidJSON, wire.CodeInvalidRequest, wire.CodeTooLarge}
	switch {
	case w.Refused.Code == "":
		return []string{"refused"}, fmt.Sprintf("refused has no code; give one of %s", strings.Join(codes, ", "))
	case !slices.Contains(codes, w.Refused.Code):
		return []string{"refused", "code"}, fmt.Sprintf("a body is refused with one of %s, and this code is %s", strings.Join(codes, ", "), w.Refused.Code)
	case w.Recorded != nil:
		return []string{"recorded"}, "a refused request is not recorded; leave recorded out"
	}
	return nil, ""
}

// verdicts are those that an answer can have.
func verdicts() []string {
	return []string{
		string(policy.IsolatedContext), string(policy.AuthorizedSharing), string(policy.BleedDetected), string(policy.UnattributedContext),
	}
}
