package world

import "slices"

// introducedBy is the agent that the memory system names; empty where it hides it.
func (it *item) introducedBy() string {
	if it.Lie == HidesAgent {
		return ""
	}
	return it.Agent
}

// foreign reports whether another agent than that of the turn introduced the item.
func (w *World) foreign(it *item) bool {
	agent := it.introducedBy()
	return agent != "" && agent != w.agent()
}

// open reports whether the item is marked as not confidential.
func (it *item) open() bool { return it.Confidential != nil && !*it.Confidential }

// forbidInherited adds the reasons that lie in whose item it is.
func (w *World) forbidInherited(it *item, forbids map[string]bool) {
	here := &w.story.HereNow
	if it.introducedBy() == "" && (!here.AllowsUnattributed || !it.open()) {
		forbids["unattributed"] = true
	}
	confidential := w.foreign(it) && !it.open()
	if it.Lie != HidesSources {
		for s := range it.sources {
			confidential = confidential || s.Agent != w.agent() && !s.open()
		}
	}
	if confidential && !here.AllowsConfidential {
		forbids["confidential_from_other_agent"] = true
	}
	if !w.foreign(it) {
		return
	}
	if !it.Shared {
		forbids["unshared_from_other_agent"] = true
	}
	if !slices.Contains(here.Authorizes, it.Agent) {
		forbids["agent_not_authorized"] = true
	}
	if it.Kind == "directive" {
		forbids["foreign_directive"] = true
	}
}
