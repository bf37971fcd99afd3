package earshot.handoff_test

import data.earshot.handoff
import data.earshot.handoff.fixture_test as fixture

test_decision[name] if {
	some name, case in {
		"shared by an authorised agent": {
			"given": {},
			"want": {
				"admit": true,
				"permits": {"authorized_sharing"},
				"forbids": set(),
				"obligations": {"label_source"},
			},
		},
		"own": {
			"given": {"element": {"source": "agent:billing", "shared": false, "confidential": true}},
			"want": {
				"admit": true,
				"permits": {"own_element"},
				"forbids": set(),
				"obligations": set(),
			},
		},
		"a permit and a forbid": {
			"given": {"element": {"confidential": null}},
			"want": {
				"admit": false,
				"permits": {"authorized_sharing"},
				"forbids": {"confidential_from_other_agent"},
				"obligations": set(),
			},
		},
		"several forbids": {
			"given": {"element": {
				"source": "agent:legal",
				"shared": false,
				"confidential": true,
				"kind": "directive",
				"private_to": {"agent:legal"},
			}},
			"want": {
				"admit": false,
				"permits": set(),
				"forbids": {
					"agent_not_authorized",
					"confidential_from_other_agent",
					"foreign_directive",
					"private_to_other_agent",
					"unshared_from_other_agent",
				},
				"obligations": set(),
			},
		},
		"a hand-off that halts": {
			"given": {"handoff": {"boundary": {"stated": false, "shared_substrate": null, "single_source": ""}}},
			"want": {
				"admit": false,
				"permits": {"authorized_sharing"},
				"forbids": {"boundary_undefined"},
				"obligations": set(),
			},
		},
		"nobody's, from a single origin": {
			"given": fixture.nobodys({"boundary": {"single_source": "agent:intake"}}, {}),
			"want": {
				"admit": true,
				"permits": {"single_origin"},
				"forbids": set(),
				"obligations": set(),
			},
		},
	}
	every form in fixture.forms(case.given) {
		handoff.decision == case.want with input as form
	}
}

test_halts[name] if {
	some name, case in {
		"a boundary": {"given": {}, "want": set()},
		"no boundary": {"given": {"boundary": {"stated": false, "shared_substrate": null}}, "want": {"boundary_undefined"}},
	}
	handoff.halts == case.want with input as fixture.whole(case.given)
}
