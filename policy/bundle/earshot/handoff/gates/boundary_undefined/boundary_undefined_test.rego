package earshot.handoff.gates.boundary_undefined_test

import data.earshot.handoff.fixture_test as fixture
import data.earshot.handoff.gates.boundary_undefined

test_boundary_undefined[name] if {
	some name, case in {
		"stated": {
			"given": {},
			"want": set(),
		},
		"stated and kept apart": {
			"given": {"handoff": {"boundary": {"shared_substrate": false}}},
			"want": set(),
		},
		"stated without a word on where memory is kept": {
			"given": {"handoff": {"boundary": {"shared_substrate": null}}},
			"want": set(),
		},
		"not stated": {
			"given": {"handoff": {"boundary": {"stated": false, "shared_substrate": null}}},
			"want": {"boundary_undefined"},
		},
		"not stated, and shared": {
			"given": {"handoff": {"boundary": {"stated": false, "shared_substrate": true}}},
			"want": {"boundary_undefined"},
		},
		"not stated, and kept apart": {
			"given": {"handoff": {"boundary": {"stated": false, "shared_substrate": false}}},
			"want": set(),
		},
		"neither true nor false": {
			"given": {"handoff": {"boundary": {"stated": null}}},
			"want": {"boundary_undefined"},
		},
	}
	every form in fixture.forms(case.given) {
		boundary_undefined.halt == case.want with input as form
	}
}
