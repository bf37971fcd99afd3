package earshot.handoff.gates.single_origin_test

import data.earshot.handoff.fixture_test as fixture
import data.earshot.handoff.gates.single_origin

test_single_origin[name] if {
	some name, case in {
		"another agent's": {
			"given": {},
			"want": set(),
		},
		"own": {
			"given": {"element": {"source": "agent:billing"}},
			"want": set(),
		},
		"nobody named, attribution required": {
			"given": fixture.nobodys({"require_attribution": true, "boundary": {"shared_substrate": false}}, {}),
			"want": set(),
		},
		"nobody named, memory shared": {
			"given": fixture.nobodys({}, {}),
			"want": set(),
		},
		"nobody named, memory not stated to be shared": {
			"given": fixture.nobodys({"boundary": {"shared_substrate": null}}, {}),
			"want": set(),
		},
		"nobody named, memory kept apart": {
			"given": fixture.nobodys({"boundary": {"shared_substrate": false}}, {}),
			"want": {"single_origin"},
		},
		"nobody named, one authorised source": {
			"given": fixture.nobodys({"boundary": {"single_source": "agent:intake"}}, {}),
			"want": {"single_origin"},
		},
		"nobody named, a single source that is not authorised": {
			"given": fixture.nobodys({"boundary": {"single_source": "agent:legal"}}, {}),
			"want": set(),
		},
		"nobody named, a single source among several": {
			"given": fixture.nobodys({"authorized_agents": {"agent:intake", "agent:legal"}, "boundary": {"single_source": "agent:intake"}}, {}),
			"want": set(),
		},
		"nobody named, nobody authorised": {
			"given": fixture.nobodys({"authorized_agents": set()}, {}),
			"want": set(),
		},
		"nobody named, confidential": {
			"given": fixture.nobodys({"boundary": {"shared_substrate": false}}, {"confidential": true}),
			"want": set(),
		},
		"nobody named, confidentiality not stated": {
			"given": fixture.nobodys({"boundary": {"single_source": "agent:intake"}}, {"confidential": null}),
			"want": set(),
		},
		"nobody's directive": {
			"given": fixture.nobodys({"boundary": {"shared_substrate": false}}, {"kind": "directive"}),
			"want": set(),
		},
		"nobody's prior": {
			"given": fixture.nobodys({"boundary": {"single_source": "agent:intake"}}, {"kind": "prior"}),
			"want": set(),
		},
	}
	every form in fixture.forms(case.given) {
		single_origin.permit == case.want with input as form
	}
}
