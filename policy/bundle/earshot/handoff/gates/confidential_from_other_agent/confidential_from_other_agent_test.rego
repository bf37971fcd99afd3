package earshot.handoff.gates.confidential_from_other_agent_test

import data.earshot.handoff.fixture_test as fixture
import data.earshot.handoff.gates.confidential_from_other_agent

test_confidential_from_other_agent[name] if {
	some name, case in {
		"not confidential": {
			"given": {},
			"want": set(),
		},
		"confidential": {
			"given": {"element": {"confidential": true}},
			"want": {"confidential_from_other_agent"},
		},
		"not stated": {
			"given": {"element": {"confidential": null}},
			"want": {"confidential_from_other_agent"},
		},
		"own": {
			"given": {"element": {"source": "agent:billing", "confidential": true}},
			"want": set(),
		},
		"nobody named": {
			"given": fixture.nobodys({}, {"confidential": true}),
			"want": set(),
		},
		"allowed": {
			"given": {"handoff": {"prohibit_confidential": false}, "element": {"confidential": true}},
			"want": set(),
		},
		"allowed by something else than false": {
			"given": {"handoff": {"prohibit_confidential": null}, "element": {"confidential": true}},
			"want": {"confidential_from_other_agent"},
		},
		"over a source that is not confidential": {
			"given": {"element": fixture.over([{}])},
			"want": set(),
		},
		"over a confidential source": {
			"given": {"element": fixture.over([{}, {"confidential": true}])},
			"want": {"confidential_from_other_agent"},
		},
		"over a source that does not state it": {
			"given": {"element": fixture.over([{"confidential": null}])},
			"want": {"confidential_from_other_agent"},
		},
		"over its own confidential source": {
			"given": {"element": fixture.over([{"source": "agent:billing", "confidential": true}])},
			"want": set(),
		},
		"own, over a confidential source of another": {
			"given": {"element": object.union(fixture.over([{"confidential": true}]), {"source": "agent:billing"})},
			"want": {"confidential_from_other_agent"},
		},
		"over a confidential source of nobody": {
			"given": {"element": fixture.over([{"source": "", "confidential": true}])},
			"want": {"confidential_from_other_agent"},
		},
		"over a confidential source, and allowed": {
			"given": {"handoff": {"prohibit_confidential": false}, "element": fixture.over([{"confidential": true}])},
			"want": set(),
		},
	}
	every form in fixture.forms(case.given) {
		confidential_from_other_agent.forbid == case.want with input as form
	}
}
