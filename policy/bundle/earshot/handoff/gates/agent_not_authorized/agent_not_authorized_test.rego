package earshot.handoff.gates.agent_not_authorized_test

import data.earshot.fixture_test as decisions
import data.earshot.handoff.fixture_test as fixture
import data.earshot.handoff.gates.agent_not_authorized

test_agent_not_authorized[name] if {
	some name, case in {
		"authorised": {
			"given": {},
			"want": set(),
			"settings": {},
		},
		"not authorised": {
			"given": {"element": {"source": "agent:legal"}},
			"want": {"agent_not_authorized"},
			"settings": {},
		},
		"own": {
			"given": {"element": {"source": "agent:billing"}},
			"want": set(),
			"settings": {},
		},
		"nobody named": {
			"given": fixture.nobodys({}, {}),
			"want": set(),
			"settings": {},
		},
		"nobody authorised": {
			"given": {"handoff": {"authorized_agents": set()}},
			"want": {"agent_not_authorized"},
			"settings": {},
		},
		"authorised by the settings too": {
			"given": {},
			"want": set(),
			"settings": {"inherit_from": {"agent:billing": ["agent:intake"]}},
		},
		"not authorised by the settings": {
			"given": {},
			"want": {"agent_not_authorized"},
			"settings": {"inherit_from": {"agent:billing": ["agent:legal"]}},
		},
		"authorised by the settings alone": {
			"given": {"element": {"source": "agent:legal"}},
			"want": {"agent_not_authorized"},
			"settings": {"inherit_from": {"agent:billing": ["agent:legal"]}},
		},
		"settings for some other agent": {
			"given": {},
			"want": set(),
			"settings": {"inherit_from": {"agent:intake": []}},
		},
		"through an authorised hand": {
			"given": {"element": {"inherited_via": ["agent:intake"]}},
			"want": set(),
			"settings": {},
		},
		"through its own hand": {
			"given": {"element": {"inherited_via": ["agent:billing"]}},
			"want": set(),
			"settings": {},
		},
		"through a hand that is not authorised": {
			"given": {"element": {"inherited_via": ["agent:intake", "agent:legal"]}},
			"want": {"agent_not_authorized"},
			"settings": {},
		},
		"own, through a hand that is not authorised": {
			"given": {"element": {"source": "agent:billing", "inherited_via": ["agent:legal"]}},
			"want": set(),
			"settings": {},
		},
		"nobody named, through a hand that is not authorised": {
			"given": fixture.nobodys({}, {"inherited_via": ["agent:legal"]}),
			"want": {"agent_not_authorized"},
			"settings": {},
		},
		"through a hand that the settings do not authorise": {
			"given": {"handoff": {"authorized_agents": {"agent:intake", "agent:legal"}}, "element": {"inherited_via": ["agent:legal"]}},
			"want": {"agent_not_authorized"},
			"settings": {"inherit_from": {"agent:billing": ["agent:intake"]}},
		},
		"over an authorised source": {
			"given": {"element": fixture.over([{}])},
			"want": set(),
			"settings": {},
		},
		"over a source that is not authorised": {
			"given": {"element": fixture.over([{}, {"source": "agent:legal"}])},
			"want": {"agent_not_authorized"},
			"settings": {},
		},
		"over a source of nobody": {
			"given": {"element": fixture.over([{"source": ""}])},
			"want": set(),
			"settings": {},
		},
		"over its own source": {
			"given": {"element": fixture.over([{"source": "agent:billing", "inherited_via": ["agent:legal"]}])},
			"want": set(),
			"settings": {},
		},
		"over a source through a hand that is not authorised": {
			"given": {"element": fixture.over([{"inherited_via": ["agent:legal"]}])},
			"want": {"agent_not_authorized"},
			"settings": {},
		},
		"own, over a source through a hand that is not authorised": {
			"given": {"element": object.union(fixture.over([{"inherited_via": ["agent:legal"]}]), {"source": "agent:billing"})},
			"want": {"agent_not_authorized"},
			"settings": {},
		},
	}
	settings := object.union(decisions.settings, case.settings)
	every form in fixture.forms(case.given) {
		agent_not_authorized.forbid == case.want with input as form with data.earshot.settings as settings
	}
}
