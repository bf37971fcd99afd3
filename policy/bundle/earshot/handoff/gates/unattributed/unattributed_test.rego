package earshot.handoff.gates.unattributed_test

import data.earshot.handoff.fixture_test as fixture
import data.earshot.handoff.gates.unattributed

test_unattributed[name] if {
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
			"want": {"unattributed"},
		},
		"nobody named, memory shared": {
			"given": fixture.nobodys({}, {}),
			"want": {"unattributed"},
		},
		"nobody named, memory not stated to be shared": {
			"given": fixture.nobodys({"boundary": {"shared_substrate": null}}, {}),
			"want": {"unattributed"},
		},
		"nobody named, memory kept apart": {
			"given": fixture.nobodys({"boundary": {"shared_substrate": false}}, {}),
			"want": set(),
		},
		"nobody named, one authorised source": {
			"given": fixture.nobodys({"boundary": {"single_source": "agent:intake"}}, {}),
			"want": set(),
		},
		"nobody named, a single source that is not authorised": {
			"given": fixture.nobodys({"boundary": {"single_source": "agent:legal"}}, {}),
			"want": {"unattributed"},
		},
		"nobody named, a single source among several": {
			"given": fixture.nobodys({"authorized_agents": {"agent:intake", "agent:legal"}, "boundary": {"single_source": "agent:intake"}}, {}),
			"want": {"unattributed"},
		},
		"nobody named, nobody authorised": {
			"given": fixture.nobodys({"authorized_agents": set()}, {}),
			"want": {"unattributed"},
		},
		"nobody named, confidential": {
			"given": fixture.nobodys({"boundary": {"shared_substrate": false}}, {"confidential": true}),
			"want": {"unattributed"},
		},
		"nobody named, confidentiality not stated": {
			"given": fixture.nobodys({"boundary": {"single_source": "agent:intake"}}, {"confidential": null}),
			"want": {"unattributed"},
		},
		"nobody's directive": {
			"given": fixture.nobodys({"boundary": {"shared_substrate": false}}, {"kind": "directive"}),
			"want": {"unattributed"},
		},
		"nobody's prior": {
			"given": fixture.nobodys({"boundary": {"single_source": "agent:intake"}}, {"kind": "prior"}),
			"want": {"unattributed"},
		},
		"over a source of somebody": {
			"given": {"element": fixture.over([{}])},
			"want": set(),
		},
		"over a source of nobody": {
			"given": {"element": fixture.over([{}, {"source": ""}])},
			"want": {"unattributed"},
		},
		"own, over a source of nobody, where attribution is not required": {
			"given": {"handoff": {"require_attribution": false, "boundary": {"shared_substrate": false}}, "element": object.union(fixture.over([{"source": ""}]), {"source": "agent:billing"})},
			"want": {"unattributed"},
		},
	}
	every form in fixture.forms(case.given) {
		unattributed.forbid == case.want with input as form
	}
}
