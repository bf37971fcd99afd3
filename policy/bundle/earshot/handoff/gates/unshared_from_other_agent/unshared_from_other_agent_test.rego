package earshot.handoff.gates.unshared_from_other_agent_test

import data.earshot.handoff.fixture_test as fixture
import data.earshot.handoff.gates.unshared_from_other_agent

test_unshared_from_other_agent[name] if {
	some name, case in {
		"shared": {
			"given": {},
			"want": set(),
		},
		"not shared": {
			"given": {"element": {"shared": false}},
			"want": {"unshared_from_other_agent"},
		},
		"neither shared nor not": {
			"given": {"element": {"shared": null}},
			"want": {"unshared_from_other_agent"},
		},
		"own": {
			"given": {"element": {"source": "agent:billing", "shared": false}},
			"want": set(),
		},
		"nobody named": {
			"given": fixture.nobodys({}, {"shared": false}),
			"want": set(),
		},
		"over a shared source": {
			"given": {"element": fixture.over([{}])},
			"want": set(),
		},
		"over a source that is not shared": {
			"given": {"element": fixture.over([{}, {"shared": false}])},
			"want": {"unshared_from_other_agent"},
		},
		"over its own source": {
			"given": {"element": fixture.over([{"source": "agent:billing", "shared": false}])},
			"want": set(),
		},
		"own, over a source that another did not share": {
			"given": {"element": object.union(fixture.over([{"shared": false}]), {"source": "agent:billing"})},
			"want": {"unshared_from_other_agent"},
		},
	}
	every form in fixture.forms(case.given) {
		unshared_from_other_agent.forbid == case.want with input as form
	}
}
