package receipt

import (
	"slices"

	"earshot/decisionlog"
	"earshot/policy"
)

// segmentLabel is what the commitment of a segment stands for. Text is never in it.
type segmentLabel struct {
	Digest   string `json:"digest,omitzero"`
	ID       string `json:"id,omitzero"`
	Position int    `json:"position"`
}

// checkedManifest names the exact segments. The salt keeps its digest from being compared with guesses.
type checkedManifest struct {
	Salt           string         `json:"salt"`
	VerificationID string         `json:"verification_id"`
	DecisionID     string         `json:"decision_id"`
	ViewersDigest  string         `json:"viewers_digest"`
	Segments       []segmentLabel `json:"segments"`
}

// ofChecked returns the statement about a checked context, and the manifest of it.
func ofChecked(v *vault, c *decisionlog.Verification, at policy.Position) (*Statement, []byte, error) {
	segments := make([]segmentLabel, len(c.Segments))
	for i, s := range c.Segments {
		segments[i] = segmentLabel{s.Digest, s.ItemID, i}
	}
	manifest, err := marshalManifest(checkedManifest{
		v.salt(), c.ID, c.DecisionID, policy.ViewersDigest(c.Turn.Viewers), segments,
	})
	if err != nil {
		return nil, nil, err
	}
	p := &Bleed{
		Head:           headOf(v, c.DecisionID, c.PolicyRevision, c.Turn.Agent, c.Turn.Tenant, at),
		VerificationID: c.ID,
		Findings:       []Finding{},
		Directive:      either(len(c.Findings) > 0, directiveHalt, directiveProceed),
	}
	commitments, items := map[int]Commitment{}, map[string]Commitment{}
	for _, f := range c.Findings {
		if f.Segment < 0 || f.Segment >= len(segments) {
			return nil, nil, wrong("/findings", "name segment %d of %d", f.Segment, len(segments))
		}
		if commitments[f.Segment] == "" {
			commitments[f.Segment] = v.commit(discloseSegment, segments[f.Segment])
		}
		if items[f.ItemID] == "" {
			items[f.ItemID] = v.commitText(discloseItem, f.ItemID)
		}
		p.Findings = append(p.Findings, Finding{
			Element: commitments[f.Segment], Kind: f.Kind, Item: items[f.ItemID], Reasons: []string{}, Severity: severityOfKind(f.Kind),
		})
	}
	return newStatement(p, []Subject{{subjectManifest, Digest{sha256Hex(manifest)}}}), manifest, nil
}

// severityOfKind is high where what was denied, changed, or meant for others was about to reach a model.
func severityOfKind(kind string) string {
	if slices.Contains([]string{policy.FindNotAdmitted, policy.FindDigestMismatch, policy.FindAudienceMismatch}, kind) {
		return severityHigh
	}
	return severityMedium
}
