# METADATA
# title: Elements
# description: Whose element it is, whose the sources it was derived from, and through whose hands they came.
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
# title: Sources of others
# description: >-
#   What the element was derived from and the agent that inherits did not introduce itself. A source
#   that names no agent is one of them.
# scope: document
foreign_sources contains source if {
	some source in input.element.sources
	source.source != input.handoff.agent
}

# METADATA
# title: Hands
# description: >-
#   The agents through whose hands the element or a source of it came since it was introduced. What
#   the agent that inherits introduced is its own again, whatever hands it went through.
# scope: document
hands contains hand if {
	not own
	some hand in others(input.element.inherited_via)
}

hands contains hand if {
	some source in foreign_sources
	some hand in others(source.inherited_via)
}

# METADATA
# title: Others among agents
# description: The agents of a list other than the one that inherits.
others(agents) := {agent | some agent in agents; agent != input.handoff.agent}

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
