package earshot.handoff.gates.own_element_test

import data.earshot.handoff.fixture_test as fixture
import data.earshot.handoff.gates.own_element

test_own_element[name] if {
	some name, case in {
		"own": {
			"given": {"element": {"source": "agent:billing"}},
			"want": {"own_element"},
		},
		"another agent's": {
			"given": {},
			"want": set(),
		},
		"nobody named": {
			"given": fixture.nobodys({}, {}),
			"want": set(),
		},
	}
	every form in fixture.forms(case.given) {
		own_element.permit == case.want with input as form
	}
}
