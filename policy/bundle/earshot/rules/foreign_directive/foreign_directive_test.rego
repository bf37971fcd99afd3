package earshot.rules.foreign_directive_test

import data.earshot.fixture_test as fixture
import data.earshot.rules.foreign_directive

test_foreign_directive[name] if {
	some name, case in {
		"own directive": {
			"given": {"candidate": {"kind": "directive"}},
			"want": set(),
		},
		"another agent's directive": {
			"given": {"candidate": {"kind": "directive", "shared": true, "agent": "agent:researcher"}},
			"want": {"foreign_directive"},
		},
		"another agent's fact": {
			"given": {"candidate": {"agent": "agent:researcher"}},
			"want": set(),
		},
		"directive of nobody": {
			"given": {"candidate": {"kind": "directive", "agent": ""}},
			"want": set(),
		},
	}
	every form in fixture.forms(case.given) {
		foreign_directive.forbid == case.want with input as form
	}
}
