package earshot.handoff.gates.private_to_other_agent_test

import data.earshot.handoff.fixture_test as fixture
import data.earshot.handoff.gates.private_to_other_agent

test_private_to_other_agent[name] if {
	some name, case in {
		"private to nobody": {
			"given": {},
			"want": set(),
		},
		"private to this agent": {
			"given": {"element": {"private_to": {"agent:billing"}}},
			"want": set(),
		},
		"private to another": {
			"given": {"element": {"private_to": {"agent:legal"}}},
			"want": {"private_to_other_agent"},
		},
		"private to its source": {
			"given": {"element": {"private_to": {"agent:intake"}}},
			"want": {"private_to_other_agent"},
		},
		"own, and private to another": {
			"given": {"element": {"source": "agent:billing", "private_to": {"agent:legal"}}},
			"want": {"private_to_other_agent"},
		},
		"private to both": {
			"given": {"element": {"private_to": {"agent:billing", "agent:legal"}}},
			"want": set(),
		},
		"over a source that is private to another": {
			"given": {"element": fixture.over([{}, {"private_to": {"agent:legal"}}])},
			"want": {"private_to_other_agent"},
		},
		"over a source that is private to this agent": {
			"given": {"element": fixture.over([{"private_to": {"agent:billing"}}])},
			"want": set(),
		},
	}
	every form in fixture.forms(case.given) {
		private_to_other_agent.forbid == case.want with input as form
	}
}
