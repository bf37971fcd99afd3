package receipt

import (
	"encoding/hex"
	"maps"
	"slices"
	"strings"

	"earshot/policy"
)

// matter is what the four statements are about: a decision or a hand-off in one form.
type matter struct {
	head        Head
	manifest    string // digest of it, 64 hex digits
	elements    []element
	inheritance policy.Inheritance
	verdict     policy.Verdict
	directive   string // its first word: the rest can have the name of an agent

	// Of a decision.
	viewers *Viewers

	// Of a hand-off.
	profile  policy.Profile
	boundary *Boundary

	// private has, by id of an element, whose alone it is; of a hand-off.
	private map[string][]string
}

// ofDecision returns a decision in the form of the statements, and its manifest.
func ofDecision(v *vault, d *policy.Decision) (*matter, []byte, error) {
	turn := &d.Request.Turn
	m := &matter{
		head:        headOf(v, d.ID, d.PolicyRevision, turn.Agent, turn.Tenant, d.Log),
		inheritance: d.Request.Inheritance,
		verdict:     d.Verdict,
		directive:   firstWord(d.Directive),
		viewers: &Viewers{
			Status:     d.Viewers.Status(),
			Reasons:    listOf(d.Viewers.Reasons),
			Commitment: v.commit(discloseViewers, viewersOf(turn)),
		},
	}
	manifest := contextManifest{Salt: v.salt(), DecisionID: d.ID, ViewersDigest: d.Viewers.Digest}
	for i := range d.Request.Candidates {
		c, r := &d.Request.Candidates[i], &d.Results[i]
		m.elements = append(m.elements, element{
			commitment: v.commit(discloseElement, elementLabel{c.Channel, c.Digest, c.ID, i}),
			id:         c.ID, introducedBy: v.name(c.Agent), inheritedVia: []Name{},
			sources: v.sources(c.Sources), shared: c.Shared, confidential: confidential(c.Confidential),
			kind: kindOf(c.Kind), basis: basisOf(d.Facts.Seals, i), recordedAt: c.RecordedAt,
			admit: r.Admit, reasons: listOf(r.Reasons),
		})
		if r.Admit {
			manifest.Admitted = append(manifest.Admitted, manifestItem{i, c.ID, c.Digest, r.Obligations})
		}
	}
	text, err := marshalManifest(manifest)
	m.manifest = sha256Hex(text)
	return m, text, err
}

// ofHandoff returns a hand-off in the form of the statements.
func ofHandoff(v *vault, d *policy.HandoffDecision) *matter {
	h := &d.Request
	m := &matter{
		head:        headOf(v, d.ID, d.PolicyRevision, h.Agent, h.Tenant, d.Log),
		manifest:    d.ManifestDigest,
		inheritance: h.Inheritance,
		verdict:     d.Verdict,
		directive:   firstWord(d.Directive),
		profile:     h.Profile,
		boundary:    boundaryOf(v, &h.Boundary),
		private:     map[string][]string{},
	}
	for _, agent := range slices.Sorted(maps.Keys(h.Boundary.PrivateTo)) {
		for _, id := range h.Boundary.PrivateTo[agent] {
			m.private[id] = append(m.private[id], agent)
		}
	}
	for i := range h.Elements {
		e, r := &h.Elements[i], &d.Results[i]
		m.elements = append(m.elements, element{
			commitment: v.commit(discloseElement, elementLabel{"", e.Digest, e.ID, i}),
			id:         e.ID, introducedBy: v.name(e.Source), inheritedVia: v.nameAll(e.InheritedVia),
			sources: v.elementSources(e.Sources), shared: e.Shared, confidential: confidential(e.Confidential),
			kind: kindOf(e.Kind), basis: basisOf(d.Seals, i),
			admit: r.Admit, reasons: listOf(r.Reasons),
		})
	}
	return m
}

func headOf(v *vault, id, revision, agent, tenant string, log policy.Position) Head {
	return Head{
		DecisionID: id,
		Ledger:     LedgerEntry{Index: log.Index, Leaf: digestPrefix + hex.EncodeToString(log.Leaf[:])},
		Policy:     Revision{revision},
		Agent:      v.name(agent),
		Tenant:     v.commitText(discloseTenant, tenant),
	}
}

// viewersOf returns the viewers as stated; nil where they are not known.
func viewersOf(turn *policy.Turn) any {
	if turn.Viewers == nil {
		return nil
	}
	return turn.Viewers
}

// firstWord returns HALT or PROCEED of a directive.
func firstWord(directive string) string {
	word, _, _ := strings.Cut(directive, ":")
	return word
}

func listOf(list []string) []string { return append([]string{}, list...) }
