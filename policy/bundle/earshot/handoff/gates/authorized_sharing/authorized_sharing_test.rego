package earshot.handoff.gates.authorized_sharing_test

import data.earshot.handoff.fixture_test as fixture
import data.earshot.handoff.gates.authorized_sharing

test_authorized_sharing[name] if {
	some name, case in {
		"shared by an authorised agent": {
			"given": {},
			"want": {"authorized_sharing"},
		},
		"not shared": {
			"given": {"element": {"shared": false}},
			"want": set(),
		},
		"not authorised": {
			"given": {"element": {"source": "agent:legal"}},
			"want": set(),
		},
		"own": {
			"given": {"element": {"source": "agent:billing"}},
			"want": set(),
		},
		"own, and authorised for itself": {
			"given": {"handoff": {"authorized_agents": {"agent:billing"}}, "element": {"source": "agent:billing"}},
			"want": set(),
		},
		"nobody named": {
			"given": fixture.nobodys({}, {}),
			"want": set(),
		},
	}
	every form in fixture.forms(case.given) {
		authorized_sharing.permit == case.want with input as form
	}
}
