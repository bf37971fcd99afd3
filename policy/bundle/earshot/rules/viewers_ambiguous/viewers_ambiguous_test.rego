package earshot.rules.viewers_ambiguous_test

import data.earshot.fixture_test as fixture
import data.earshot.rules.viewers_ambiguous

test_viewers_ambiguous[name] if {
	some name, case in {
		"known": {
			"given": {},
			"want": set(),
		},
		"unknown": {
			"given": {"turn": {"viewers_stated": false, "viewers": set()}},
			"want": {"viewers_ambiguous"},
		},
		"unknown and public": {
			"given": object.union(
				fixture.over(fixture.everybody, []),
				{"turn": {"viewers_stated": false, "viewers": set()}},
			),
			"want": set(),
		},
		"unknown and inherited from public": {
			"given": object.union(
				fixture.over(fixture.inherited, [fixture.everybody]),
				{"turn": {"viewers_stated": false, "viewers": set()}},
			),
			"want": set(),
		},
		"unknown and public over tenant": {
			"given": object.union(
				fixture.over(fixture.everybody, [fixture.tenant]),
				{"turn": {"viewers_stated": false, "viewers": set()}},
			),
			"want": {"viewers_ambiguous"},
		},
		"unknown and tenant": {
			"given": object.union(
				fixture.over(fixture.tenant, []),
				{"turn": {"viewers_stated": false, "viewers": set()}},
			),
			"want": {"viewers_ambiguous"},
		},
		"unknown and nobody": {
			"given": object.union(
				fixture.over(fixture.nobody, []),
				{"turn": {"viewers_stated": false, "viewers": set()}},
			),
			"want": {"viewers_ambiguous"},
		},
		"nobody listening": {
			"given": {"turn": {"viewers": set()}},
			"want": {"viewers_ambiguous"},
		},
	}
	every form in fixture.forms(case.given) {
		viewers_ambiguous.forbid == case.want with input as form
	}
}
