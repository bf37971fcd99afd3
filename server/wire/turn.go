package wire

import (
	"fmt"

	"earshot/policy"
)

// turn reads the turn, with the defaults of the contract.
func (r *reader) turn() policy.Turn {
	t := policy.Turn{Attempt: 1, ViewersBasis: policy.BasisPlatform}
	agent := false
	isObject := r.object(func(name string) {
		switch name {
		case "id":
			t.ID = r.label()
		case "attempt":
			t.Attempt = r.ordinal()
		case "tenant":
			t.Tenant = r.label()
		case "agent":
			agent = true
			r.must()
			t.Agent = r.text()
		case "channel":
			t.Channel = r.label()
		case "viewers":
			if !r.null() { // null is as absent: not known
				t.Viewers = r.principals()
			}
		case "viewers_basis":
			t.ViewersBasis = r.text()
		case "external_viewers":
			t.ExternalViewers = r.principals()
		case "revoked_viewers":
			t.RevokedViewers = r.principals()
		case "evidence":
			r.list(func(int) { t.Evidence = append(t.Evidence, r.evidence()) })
		case "attributes":
			t.Attributes = r.free()
		default:
			r.unknown()
		}
	})
	if isObject && !agent {
		r.missing("agent", "name the agent whose context is assembled")
	}
	return t
}

// evidence reads one reading of who is in the room.
func (r *reader) evidence() policy.Evidence {
	e := policy.Evidence{Complete: true}
	viewers := false
	isObject := r.object(func(name string) {
		switch name {
		case "source":
			e.Source = r.label()
		case "viewers":
			viewers = true
			r.must()
			e.Viewers = r.principals()
		case "complete":
			e.Complete = r.flag(false)
		case "observed_at":
			e.ObservedAt = r.instant()
		default:
			r.unknown()
		}
	})
	if isObject && !viewers {
		r.missing("viewers", "list who the reading saw")
	}
	return e
}

// inheritance reads what the agent may take over from other agents. What is left out is forbidden.
func (r *reader) inheritance() policy.Inheritance {
	var in policy.Inheritance
	r.object(func(name string) {
		switch name {
		case "authorized_agents":
			in.AuthorizedAgents = r.principals()
		case "prohibit_confidential":
			in.AllowConfidential = !r.flag(true)
		case "require_attribution":
			in.AllowUnattributed = !r.flag(true)
		default:
			r.unknown()
		}
	})
	return in
}

// principals reads a list of strings; not nil for an empty list.
func (r *reader) principals() []string {
	names := []string{}
	isList := r.list(func(i int) {
		if i == r.limits.Members {
			r.fail(&Error{
				Code:    CodeTooLarge,
				Pointer: cut(string(r.dec.StackPointer().Parent()), maxShown),
				Detail:  fmt.Sprintf("has more than %d members", i),
			})
			return
		}
		names = append(names, r.text())
	})
	if !isList {
		return nil
	}
	return names
}
