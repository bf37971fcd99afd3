# METADATA
# title: Elements
# description: Whose element it is.
package earshot.handoff.elements

# METADATA
# title: Another agent's element
# description: The element names an agent that introduced it, and that is not the one that inherits.
foreign if {
	input.element.source != ""
	input.element.source != input.handoff.agent
}

# METADATA
# title: The agent's own element
# description: The agent that inherits introduced it itself.
own if input.element.source == input.handoff.agent

# METADATA
# title: An element of known origin in spite of a missing source
# description: >-
#   It names no source, and none is asked for: it is not confidential, neither a directive nor a prior,
#   and either the agents keep their memory apart or there is one authorised source it can come from.
origin_settled if {
	input.element.source == ""
	input.handoff.require_attribution == false
	input.element.confidential == false
	not input.element.kind in {"directive", "prior"}
	_one_origin
}

_one_origin if input.handoff.boundary.shared_substrate == false

_one_origin if {
	count(input.handoff.authorized_agents) == 1
	input.handoff.boundary.single_source in input.handoff.authorized_agents
}
