package earshot.rules.unshared_from_other_agent_test

import data.earshot.fixture_test as fixture
import data.earshot.rules.unshared_from_other_agent

test_unshared_from_other_agent[name] if {
	some name, case in {
		"own": {
			"given": {},
			"want": set(),
		},
		"another agent's": {
			"given": {"candidate": {"agent": "agent:researcher"}},
			"want": {"unshared_from_other_agent"},
		},
		"another agent's and shared": {
			"given": {"candidate": {"agent": "agent:researcher", "shared": true}},
			"want": set(),
		},
		"nobody named": {
			"given": {"candidate": {"agent": ""}},
			"want": set(),
		},
	}
	every form in fixture.forms(case.given) {
		unshared_from_other_agent.forbid == case.want with input as form
	}
}
