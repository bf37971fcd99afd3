# Input for the tests of hand-offs: the agent billing inherits a shared element of the agent intake,
# which passes, and a way to change it.
package earshot.handoff.fixture_test

# The input changed by patch, with sets and with arrays, as the fixture of decisions has it.
forms(patch) := [sets, arrays] if {
	sets := object.union(_base, patch)
	arrays := json.unmarshal(json.marshal(sets))
}

# The hand-off without an element.
whole(patch) := {"handoff": object.union(_base.handoff, patch)}

# An element that names no source, where none is asked for, changed by patch.
nobodys(handoff, element) := {
	"handoff": object.union({"require_attribution": false}, handoff),
	"element": object.union({"source": ""}, element),
}

# A shared source of the agent intake, changed by patch.
source(patch) := object.union(
	{
		"id": "s1",
		"source": "agent:intake",
		"shared": true,
		"confidential": false,
		"kind": "fact",
		"digest": "",
		"inherited_via": [],
		"private_to": set(),
	},
	patch,
)

# A summary of the agent intake over one source for each patch.
over(patches) := {"kind": "summary", "sources": [source(patch) | some patch in patches]}

_base := {
	"handoff": {
		"agent": "agent:billing",
		"authorized_agents": {"agent:intake"},
		"prohibit_confidential": true,
		"require_attribution": true,
		"boundary": {"stated": true, "shared_substrate": true, "single_source": ""},
	},
	"element": {
		"id": "e1",
		"source": "agent:intake",
		"shared": true,
		"confidential": false,
		"kind": "fact",
		"digest": "",
		"inherited_via": [],
		"sources": [],
		"seal": "absent",
		"private_to": set(),
	},
}
