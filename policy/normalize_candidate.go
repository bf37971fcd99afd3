package policy

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// MaxSources is how many sources a candidate may have, nested ones included.
const MaxSources = 10_000

// MaxSourceDepth is how deep sources may be nested.
const MaxSourceDepth = 32

// maxFaults is how many malformed fields of one candidate are noted. The first ones say enough, and one
// candidate must not make a long list.
const maxFaults = 16

// normalizeCandidate returns c in normal form. Whatever does not fit the contract becomes a Fault,
// never an error: one wrong candidate must not take its neighbours along.
func normalizeCandidate(c Candidate) Candidate {
	faults := faultList{faults: slices.Clone(c.Faults)}

	faults.check("id", CheckName(c.ID))
	faults.audience("audience", &c.Audience)
	faults.principal("agent", c.Agent)
	for _, label := range []struct{ field, value string }{
		{"audience_basis", c.AudienceBasis},
		{"tenant", c.Tenant},
		{"channel", c.Channel},
		{"state", c.State},
		{"store", c.Store},
	} {
		faults.label(label.field, label.value)
	}
	if !slices.Contains(Kinds(), c.Kind) {
		faults.check("kind", fmt.Errorf("must be one of %s", strings.Join(Kinds(), ", ")))
	}
	if c.Digest != "" {
		faults.check("digest", checkDigest(c.Digest))
	}
	attributes, err := compactObject(c.Attributes)
	faults.check("attributes", err)
	c.Attributes = attributes
	c.RecordedAt, c.ExpiresAt = utc(c.RecordedAt), utc(c.ExpiresAt)

	flat := make([]Source, 0, len(c.Sources))
	faults.flatten(&flat, c.Sources, "sources", 1)
	if c.Audience.Kind == AudienceInherited && len(flat) == 0 {
		c.Audience = Audience{}
	}
	c.Sources = flat
	if len(flat) == 0 {
		c.Sources = nil
	}
	c.Faults = faults.faults
	if len(c.ID) > MaxName {
		c.ID = ""
	}
	return c
}

// checkDigest returns nil for "sha256:" and 64 lower-case hex digits.
func checkDigest(s string) error {
	hex, ok := strings.CutPrefix(s, "sha256:")
	if !ok || len(hex) != 64 || strings.Trim(hex, "0123456789abcdef") != "" {
		return fmt.Errorf(`must be "sha256:" and 64 lower-case hex digits`)
	}
	return nil
}

// utc drops the zone and the monotonic reading, so that equal instants are equal values.
func utc(t time.Time) time.Time {
	if t.IsZero() {
		return time.Time{}
	}
	return t.UTC().Round(0)
}

// faultList gathers what is wrong with one candidate.
type faultList struct{ faults []Fault }

// check notes err as a fault of field, once a field: the first finding says enough.
func (l *faultList) check(field string, err error) {
	if err == nil {
		return
	}
	malformed := 0
	for i := range l.faults {
		if l.faults[i].Code != CodeMalformed {
			continue
		}
		if malformed++; malformed == maxFaults || l.faults[i].Field == field {
			return
		}
	}
	l.faults = append(l.faults, Fault{Code: CodeMalformed, Field: field, Problem: err.Error()})
}

func (l *faultList) principal(field, name string) {
	if name != "" {
		l.check(field, CheckPrincipal(name))
	}
}

func (l *faultList) label(field, value string) {
	if value != "" {
		l.check(field, CheckLabel(value))
	}
}

// audience checks and sorts the members of a list. A faulty list becomes nobody.
func (l *faultList) audience(field string, a *Audience) {
	if a.Kind != AudienceList {
		a.Members = nil
		return
	}
	for i, member := range a.Members {
		if err := CheckPrincipal(member); err != nil {
			l.check(field, fmt.Errorf("member %d: %w", i, err))
			*a = Audience{}
			return
		}
	}
	*a = Principals(a.Members...)
}

// flatten appends sources and theirs to flat, each parent before its children. A source that
// states no audience and has sources bounds nothing by itself, so it becomes inherited; its other
// labels still count.
func (l *faultList) flatten(flat *[]Source, sources []Source, field string, depth int) {
	if depth > MaxSourceDepth && len(sources) > 0 {
		l.check(field, fmt.Errorf("are nested deeper than %d levels", MaxSourceDepth))
		return
	}
	for i, s := range sources {
		if len(*flat) == MaxSources {
			l.check("sources", fmt.Errorf("are more than %d, nested ones included", MaxSources))
			return
		}
		at := fmt.Sprintf("%s/%d", field, i)
		if s.ID != "" {
			l.check(at+"/id", CheckName(s.ID))
		}
		l.audience(at+"/audience", &s.Audience)
		l.principal(at+"/agent", s.Agent)
		l.label(at+"/tenant", s.Tenant)
		l.label(at+"/state", s.State)
		s.ExpiresAt = utc(s.ExpiresAt)

		children := s.Sources
		if s.Audience.Kind == AudienceInherited && len(children) == 0 {
			s.Audience = Audience{}
		}
		s.Sources = nil
		*flat = append(*flat, s)
		l.flatten(flat, children, at+"/sources", depth+1)
	}
}
