# METADATA
# title: Agents
# description: Whose item a candidate is.
package earshot.agents

# METADATA
# title: Another agent's item
# description: The item names an agent that introduced it, and that is not the agent of this turn.
foreign if {
	input.candidate.agent != ""
	input.candidate.agent != input.turn.agent
}
