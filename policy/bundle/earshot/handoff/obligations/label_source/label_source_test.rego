package earshot.handoff.obligations.label_source_test

import data.earshot.handoff.fixture_test as fixture
import data.earshot.handoff.obligations.label_source

test_label_source[name] if {
	some name, case in {
		"another agent's": {
			"given": {},
			"want": {"label_source"},
		},
		"own": {
			"given": {"element": {"source": "agent:billing"}},
			"want": set(),
		},
		"own prior": {
			"given": {"element": {"source": "agent:billing", "kind": "prior"}},
			"want": {"label_source"},
		},
		"another agent's prior": {
			"given": {"element": {"kind": "prior"}},
			"want": {"label_source"},
		},
		"nobody named": {
			"given": fixture.nobodys({}, {}),
			"want": set(),
		},
		"own, over a prior": {
			"given": {"element": object.union(fixture.over([{"kind": "prior"}]), {"source": "agent:billing"})},
			"want": {"label_source"},
		},
		"own, over a fact": {
			"given": {"element": object.union(fixture.over([{}]), {"source": "agent:billing"})},
			"want": set(),
		},
	}
	every form in fixture.forms(case.given) {
		label_source.oblige == case.want with input as form
	}
}
