package earshot.handoff.gates.foreign_directive_test

import data.earshot.handoff.fixture_test as fixture
import data.earshot.handoff.gates.foreign_directive

test_foreign_directive[name] if {
	some name, case in {
		"another agent's fact": {
			"given": {},
			"want": set(),
		},
		"another agent's directive": {
			"given": {"element": {"kind": "directive"}},
			"want": {"foreign_directive"},
		},
		"own directive": {
			"given": {"element": {"source": "agent:billing", "kind": "directive"}},
			"want": set(),
		},
		"directive of nobody": {
			"given": fixture.nobodys({}, {"kind": "directive"}),
			"want": set(),
		},
	}
	every form in fixture.forms(case.given) {
		foreign_directive.forbid == case.want with input as form
	}
}
