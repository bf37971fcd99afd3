package policy

import (
	"fmt"
	"strings"
)

// normalizeHandoff returns the hand-off in the form that is decided and recorded: every name
// checked, sets sorted and distinct. It leaves its argument alone. Its error is an *InvalidError: an
// element that is wrong in itself refuses the hand-off, since it halts as a whole.
func normalizeHandoff(h Handoff) (Handoff, error) {
	if err := CheckPrincipal(h.Agent); err != nil {
		return Handoff{}, invalid("/agent_id", "%v; name the agent that inherits", err)
	}
	switch h.Profile {
	case "":
		h.Profile = ProfileStrict
	case ProfileStrict, ProfileReference:
	default:
		return Handoff{}, invalid("/profile", "must be %s or %s", ProfileStrict, ProfileReference)
	}
	agents, err := principals("/authorized_shared_agents", h.Inheritance.AuthorizedAgents)
	if err != nil {
		return Handoff{}, err
	}
	h.Inheritance.AuthorizedAgents = agents
	h.Elements = append([]Element{}, h.Elements...)
	for i := range h.Elements {
		if err := normalizeElement(fmt.Sprintf("/elements/%d", i), &h.Elements[i]); err != nil {
			return Handoff{}, err
		}
	}
	if h.Boundary, err = normalizeBoundary(h.Boundary); err != nil {
		return Handoff{}, err
	}
	return h, nil
}

func normalizeBoundary(b Boundary) (Boundary, error) {
	if !b.Stated {
		return Boundary{}, nil
	}
	if b.SingleSource != "" {
		if err := CheckPrincipal(b.SingleSource); err != nil {
			return Boundary{}, invalid("/boundary/single_source", "%v", err)
		}
	}
	private := make(map[string][]string, len(b.PrivateTo))
	for agent, ids := range b.PrivateTo {
		pointer := "/boundary/private_to/" + pointerToken(agent)
		if err := CheckPrincipal(agent); err != nil {
			return Boundary{}, invalid(pointer, "%v; name the agent that the elements are private to", err)
		}
		for i, id := range ids {
			if err := CheckName(id); err != nil {
				return Boundary{}, invalid(fmt.Sprintf("%s/%d", pointer, i), "%v", err)
			}
		}
		private[agent] = sortedSet(append([]string{}, ids...))
	}
	b.PrivateTo = nil
	if len(private) > 0 {
		b.PrivateTo = private
	}
	return b, nil
}

// pointerToken returns a member name as one step of a JSON pointer (RFC 6901, section 3).
func pointerToken(name string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
}
