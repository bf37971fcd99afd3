package policy

import "slices"

// Segment is one part of a context that is about to reach a model.
type Segment struct {
	// ItemID is the item that the part is said to be; empty where no item is claimed.
	ItemID string

	// Digest is of the exact text, as "sha256:" and 64 lower-case hex digits; empty where it is not
	// stated, and then nothing covers the segment.
	Digest string

	// Overlaps are the items with which the text has fingerprints in common, sorted by item.
	Overlaps []Overlap
}

// Overlap is how many fingerprints a text shares with that of an item.
type Overlap struct {
	ItemID string
	Prints int
}

// Finding is one way in which a segment is not covered by what was admitted.
type Finding struct {
	// Segment counts from 0.
	Segment int

	// Kind is one of the kinds below.
	Kind string

	// ItemID is the item that the finding is about; empty for text that belongs to none.
	ItemID string
}

// The kinds of finding, in the words of the wire contract.
const (
	// FindUnattributed means that no candidate of the decision has this text.
	FindUnattributed = "unattributed"

	// FindAudienceMismatch means that the item was admitted for another agent, tenant, channel or set
	// of viewers.
	FindAudienceMismatch = "audience_mismatch"

	// FindDigestMismatch means that the item was admitted with other content, or with content that
	// nothing was said of.
	FindDigestMismatch = "digest_mismatch"

	// FindUnknownItem means that the item was no candidate of the decision.
	FindUnknownItem = "unknown_item"

	// FindNotAdmitted means that the item, or text of it, was denied.
	FindNotAdmitted = "not_admitted"
)

// CheckContext returns what in the segments is not covered by the decision e for the turn now, which is
// in the form of NormalTurn. Without a finding every segment is, word for word, an item that was
// admitted for exactly these viewers. It is the same for the same arguments.
//
// A segment is covered where its digest is that of a candidate that was admitted, of the item that it
// claims if it claims one. Anything else is at least one finding. A covered segment stays covered where
// it shares text with a denied item: an audience belongs to an item and not to words, and this item was
// decided with its text. In any other segment the text of a denied item is a finding of its own, from
// overlap shared fingerprints on; less than one counts as one.
//
// For another turn nothing is covered. It is the same turn where agent, tenant, channel and the three
// sets of viewers and their basis are equal, and where every reading of the room was part of the
// decision or is complete and says the same viewers. Whether viewers that were ambiguous are known by
// now is not asked, since what was admitted then is public. What expired or was revoked since is not
// seen either: that takes a new decision.
func CheckContext(e *Entry, now Turn, segments []Segment, overlap int) []Finding {
	c := newCover(e, &now)
	findings := []Finding{}
	for i := range segments {
		s := &segments[i]
		kind, item := c.judge(s)
		if kind == "" {
			continue
		}
		denied := c.overlapping(s, max(overlap, 1))
		// That the text is a denied one says more than that it is nobody's.
		if kind != FindUnattributed || len(denied) == 0 {
			findings = append(findings, Finding{i, kind, item})
		}
		for _, id := range denied {
			if kind != FindNotAdmitted || id != item {
				findings = append(findings, Finding{i, FindNotAdmitted, id})
			}
		}
	}
	return findings
}

// CheckSegment returns nil for a segment in the form of the contract: a digest, and an item whose id
// could be a candidate's, if it claims one. Its error is an *InvalidError at pointer.
func CheckSegment(pointer string, s *Segment) error {
	if s.ItemID != "" {
		if err := CheckName(s.ItemID); err != nil {
			return invalid(pointer+"/item_id", "%v", err)
		}
	}
	if err := checkDigest(s.Digest); err != nil {
		return invalid(pointer+"/digest", "%v", err)
	}
	return nil
}

// NormalTurn returns the turn as a decision has it: sets sorted and distinct. The error is that of
// Decide for a turn that does not have the form of the contract, ErrInvalidRequest.
func NormalTurn(t Turn) (Turn, error) {
	if err := normalizeTurn(&t); err != nil {
		return Turn{}, err
	}
	return t, nil
}

// cover is what one decision lets into a context.
type cover struct {
	sameTurn bool

	// admitted has the digests of admitted positions by item, items those of denied ones too. The
	// other two have an item by digest.
	admitted       map[string][]string
	items          map[string]bool
	admittedDigest map[string]string
	deniedDigest   map[string]string
}

func newCover(e *Entry, now *Turn) *cover {
	c := &cover{
		sameTurn:       sameAudience(&e.Request.Turn, now),
		admitted:       map[string][]string{},
		items:          map[string]bool{},
		admittedDigest: map[string]string{},
		deniedDigest:   map[string]string{},
	}
	for i := range e.Request.Candidates {
		candidate := &e.Request.Candidates[i]
		if candidate.ID == "" {
			continue
		}
		c.items[candidate.ID] = true
		byDigest := c.deniedDigest
		if i < len(e.Results) && e.Results[i].Admit {
			c.admitted[candidate.ID] = append(c.admitted[candidate.ID], candidate.Digest)
			byDigest = c.admittedDigest
		}
		if _, first := byDigest[candidate.Digest]; !first && candidate.Digest != "" {
			byDigest[candidate.Digest] = candidate.ID
		}
	}
	return c
}

// judge returns the kind of finding about a segment, empty where it is covered, and the item.
func (c *cover) judge(s *Segment) (kind, item string) {
	if s.ItemID == "" {
		return c.judgeText(s)
	}
	digests, admitted := c.admitted[s.ItemID]
	switch {
	case !c.sameTurn:
		return FindAudienceMismatch, s.ItemID
	case !c.items[s.ItemID]:
		return FindUnknownItem, s.ItemID
	case !admitted:
		return FindNotAdmitted, s.ItemID
	case s.Digest == "" || !slices.Contains(digests, s.Digest):
		return FindDigestMismatch, s.ItemID
	default:
		return "", ""
	}
}

func (c *cover) judgeText(s *Segment) (kind, item string) {
	if id, ok := c.admittedDigest[s.Digest]; ok && s.Digest != "" {
		if !c.sameTurn {
			return FindAudienceMismatch, id
		}
		return "", ""
	}
	if id, ok := c.deniedDigest[s.Digest]; ok && s.Digest != "" {
		return FindNotAdmitted, id
	}
	return FindUnattributed, ""
}

// overlapping returns the denied items with which a segment shares enough, in order.
func (c *cover) overlapping(s *Segment, overlap int) []string {
	var denied []string
	for _, o := range s.Overlaps {
		if _, admitted := c.admitted[o.ItemID]; o.Prints >= overlap && c.items[o.ItemID] && !admitted {
			denied = append(denied, o.ItemID)
		}
	}
	slices.Sort(denied)
	return slices.Compact(denied)
}

// sameAudience reports whether what was decided for one turn holds for another.
func sameAudience(then, now *Turn) bool {
	if then.Agent != now.Agent || then.Tenant != now.Tenant || then.Channel != now.Channel ||
		then.ViewersBasis != now.ViewersBasis ||
		!sameSet(then.Viewers, now.Viewers) ||
		!sameSet(then.ExternalViewers, now.ExternalViewers) ||
		!sameSet(then.RevokedViewers, now.RevokedViewers) {
		return false
	}
	for i := range now.Evidence {
		reading := &now.Evidence[i]
		known := slices.ContainsFunc(then.Evidence, func(e Evidence) bool {
			return e.Source == reading.Source && e.Complete == reading.Complete && slices.Equal(e.Viewers, reading.Viewers)
		})
		if !known && !(reading.Complete && slices.Equal(reading.Viewers, now.Viewers)) {
			return false
		}
	}
	return true
}

// sameSet keeps a set that is not known apart from one without members.
func sameSet(a, b []string) bool { return (a == nil) == (b == nil) && slices.Equal(a, b) }
