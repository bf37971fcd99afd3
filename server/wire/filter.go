package wire

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"earshot/decisionlog"
	"earshot/policy"
)

// ErrUnknownFilter is what ReadFilter returns for a name that is no filter.
var ErrUnknownFilter = errors.New("is not known here; leave it out")

// ReadFilter sets the filter of this name in q. A value that nothing in the log can have is an error: an
// empty list would say that there is no such decision. The error is a sentence fragment that fits
// after the name.
func ReadFilter(q *decisionlog.Query, name, value string) (err error) {
	switch name {
	case "item":
		q.Item, err = value, checkItem(value)
	case "viewer":
		q.Viewer, err = value, CheckPrincipal(value)
	case "agent":
		q.Agent, err = value, CheckPrincipal(value)
	case "channel":
		q.Channel, err = value, policy.CheckLabel(value)
	case "tenant":
		q.Tenant, err = value, policy.CheckLabel(value)
	case "reason":
		q.Reason, err = value, checkReason(value)
	case "policy_revision":
		q.PolicyRevision, err = value, checkRevision(value)
	case "verdict":
		q.Verdict = value
		if !slices.Contains(Verdicts(), policy.Verdict(value)) {
			err = errors.New("must be one of " + verdictList())
		}
	case "admit":
		var admit bool
		admit, err = ReadBool(value)
		q.Admit = &admit
	case "from":
		q.From, err = ParseInstant(value)
	case "to":
		q.To, err = ParseInstant(value)
	case "limit":
		q.Limit, err = readLimit(value)
	case "cursor":
		q.Cursor = value
	default:
		err = ErrUnknownFilter
	}
	return err
}

// Verdicts returns the verdicts that there are.
func Verdicts() []policy.Verdict {
	return []policy.Verdict{
		policy.IsolatedContext, policy.AuthorizedSharing, policy.BleedDetected, policy.UnattributedContext,
	}
}

func verdictList() string {
	words := make([]string, 0, len(Verdicts()))
	for _, v := range Verdicts() {
		words = append(words, string(v))
	}
	return strings.Join(words, ", ")
}

// ReadBool reads true or false and nothing that only looks like it.
func ReadBool(s string) (bool, error) {
	switch s {
	case "true":
		return true, nil
	case "false":
		return false, nil
	default:
		return false, errors.New("must be true or false")
	}
}

// readLimit reads the number of entries of a page. How many are too many is for the log to say.
func readLimit(s string) (int, error) {
	n, err := strconv.ParseUint(s, 10, 31)
	if err != nil || n == 0 {
		return 0, errors.New("must be a whole number of at least 1")
	}
	return int(n), nil
}

// CheckPrincipal returns nil for a principal.
func CheckPrincipal(s string) error {
	if err := policy.CheckPrincipal(s); err != nil {
		return fmt.Errorf("must be a principal: %w", err)
	}
	return nil
}

// checkItem returns nil for what can stand in the log as the id of a candidate. Candidates with an id
// of a wrong form are there too, as denied.
func checkItem(s string) error {
	if len(s) > policy.MaxName || !utf8.ValidString(s) {
		return fmt.Errorf("must be at most %d bytes of UTF-8", policy.MaxName)
	}
	return nil
}

// checkReason returns nil for a code of the policy, or of a rule that authors added.
func checkReason(s string) error {
	if local, ok := strings.CutPrefix(s, "local:"); ok {
		return policy.CheckLabel(local)
	}
	if strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789_") != "" {
		return errors.New("must be a code such as revoked, or local: and the code of a rule of your own")
	}
	return nil
}

// checkRevision returns nil for the digest of a policy.
func checkRevision(s string) error {
	digits, ok := strings.CutPrefix(s, "sha256:")
	if !ok || len(digits) != 64 || strings.Trim(digits, "0123456789abcdef") != "" {
		return errors.New(`must be "sha256:" and 64 lower-case hex digits`)
	}
	return nil
}

// readCount reads a number that may be zero. How many are too many is for the log to say.
func readCount(s string) (int, error) {
	n, err := strconv.ParseUint(s, 10, 31)
	if err != nil {
		return 0, errors.New("must be a whole number")
	}
	return int(n), nil
}
