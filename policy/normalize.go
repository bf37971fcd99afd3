package policy

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// MaxAttributes is how long a free JSON object may be, in bytes without insignificant white space.
const MaxAttributes = 64 << 10

// MaxEvidence is how many readings of who is in the room a turn may have.
const MaxEvidence = 100

// normalize returns the request in the form that is decided and recorded: every name checked, sets
// sorted and distinct, sources flattened, what is wrong with a candidate noted in its Faults. It
// leaves its argument alone. Its error is an *InvalidError about the turn or the inheritance.
func normalize(req Request) (Request, error) {
	if err := normalizeTurn(&req.Turn); err != nil {
		return Request{}, err
	}
	agents, err := principals("/inheritance/authorized_agents", req.Inheritance.AuthorizedAgents)
	if err != nil {
		return Request{}, err
	}
	req.Inheritance.AuthorizedAgents = agents

	candidates := make([]Candidate, len(req.Candidates))
	for i := range req.Candidates {
		candidates[i] = normalizeCandidate(req.Candidates[i])
	}
	req.Candidates = candidates
	return req, nil
}

func normalizeTurn(t *Turn) error {
	if err := CheckPrincipal(t.Agent); err != nil {
		return invalid("/turn/agent", "%v; name the agent whose context is assembled", err)
	}
	for _, label := range []struct{ pointer, value string }{
		{"/turn/id", t.ID},
		{"/turn/channel", t.Channel},
		{"/turn/tenant", t.Tenant},
		{"/turn/viewers_basis", t.ViewersBasis},
	} {
		if label.value == "" {
			continue
		}
		if err := CheckLabel(label.value); err != nil {
			return invalid(label.pointer, "%v", err)
		}
	}
	if t.Attempt < 1 {
		return invalid("/turn/attempt", "must be at least 1: count the physical model attempts of the turn from 1")
	}
	for _, set := range []struct {
		pointer string
		names   *[]string
	}{
		{"/turn/viewers", &t.Viewers},
		{"/turn/external_viewers", &t.ExternalViewers},
		{"/turn/revoked_viewers", &t.RevokedViewers},
	} {
		names, err := principals(set.pointer, *set.names)
		if err != nil {
			return err
		}
		*set.names = names
	}
	if err := normalizeEvidence(t); err != nil {
		return err
	}
	attributes, err := compactObject(t.Attributes)
	if err != nil {
		return invalid("/turn/attributes", "%v", err)
	}
	t.Attributes = attributes
	return nil
}

func normalizeEvidence(t *Turn) error {
	if len(t.Evidence) > MaxEvidence {
		return invalid("/turn/evidence", "has %d readings, at most %d are allowed", len(t.Evidence), MaxEvidence)
	}
	evidence := make([]Evidence, len(t.Evidence))
	for i, reading := range t.Evidence {
		pointer := fmt.Sprintf("/turn/evidence/%d", i)
		if reading.Source != "" {
			if err := CheckLabel(reading.Source); err != nil {
				return invalid(pointer+"/source", "%v", err)
			}
		}
		names, err := principals(pointer+"/viewers", reading.Viewers)
		if err != nil {
			return err
		}
		reading.Viewers = names
		reading.ObservedAt = utc(reading.ObservedAt)
		evidence[i] = reading
	}
	if len(evidence) == 0 {
		evidence = nil
	}
	t.Evidence = evidence
	return nil
}

// principals returns names as a sorted set, or an error that points at the first that is none. Nil
// stays nil, since an absent list and an empty one differ.
func principals(pointer string, names []string) ([]string, error) {
	for i, name := range names {
		if err := CheckPrincipal(name); err != nil {
			return nil, invalid(fmt.Sprintf("%s/%d", pointer, i), "%v", err)
		}
	}
	return sortedSet(names), nil
}

// compactObject returns raw without insignificant white space; nil for nothing and for an object
// without members, which say the same.
func compactObject(raw json.RawMessage) (json.RawMessage, error) {
	if len(raw) == 0 {
		return nil, nil
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, raw); err != nil {
		return nil, fmt.Errorf("must be a JSON object: %w", err)
	}
	switch b := compact.Bytes(); {
	case len(b) > MaxAttributes:
		return nil, fmt.Errorf("is %d bytes long, at most %d are allowed", len(b), MaxAttributes)
	case b[0] != '{':
		return nil, fmt.Errorf("must be a JSON object")
	case len(b) == len("{}"):
		return nil, nil
	default:
		return b, nil
	}
}
