package earshot.rules.agent_not_authorized_test

import data.earshot.fixture_test as fixture
import data.earshot.rules.agent_not_authorized

test_agent_not_authorized[name] if {
	some name, case in {
		"own": {
			"given": {},
			"want": set(),
			"settings": {},
		},
		"nobody named": {
			"given": {"candidate": {"agent": ""}},
			"want": set(),
			"settings": {},
		},
		"authorised": {
			"given": {"candidate": {"agent": "agent:researcher"}},
			"want": set(),
			"settings": {},
		},
		"not authorised": {
			"given": {"candidate": {"agent": "agent:intake"}},
			"want": {"agent_not_authorized"},
			"settings": {},
		},
		"authorised by the turn and the settings": {
			"given": {"candidate": {"agent": "agent:researcher"}},
			"want": set(),
			"settings": {"inherit_from": {"agent:scribe": ["agent:researcher"]}},
		},
		"authorised by the turn but not the settings": {
			"given": {"candidate": {"agent": "agent:researcher"}},
			"want": {"agent_not_authorized"},
			"settings": {"inherit_from": {"agent:scribe": ["agent:intake"]}},
		},
		"authorised by the settings but not the turn": {
			"given": {"candidate": {"agent": "agent:intake"}},
			"want": {"agent_not_authorized"},
			"settings": {"inherit_from": {"agent:scribe": ["agent:intake"]}},
		},
		"settings that let nobody through": {
			"given": {"candidate": {"agent": "agent:researcher"}},
			"want": {"agent_not_authorized"},
			"settings": {"inherit_from": {"agent:scribe": []}},
		},
		"settings for some other agent": {
			"given": {"candidate": {"agent": "agent:researcher"}},
			"want": set(),
			"settings": {"inherit_from": {"agent:intake": []}},
		},
	}
	settings := object.union(fixture.settings, case.settings)
	every form in fixture.forms(case.given) {
		agent_not_authorized.forbid == case.want with input as form with data.earshot.settings as settings
	}
}
