package earshot.rules.viewer_not_in_audience_test

import data.earshot.fixture_test as fixture
import data.earshot.rules.viewer_not_in_audience

test_viewer_not_in_audience[name] if {
	some name, case in {
		"all present": {
			"given": {},
			"want": set(),
		},
		"one absent": {
			"given": fixture.over(fixture.narrow, []),
			"want": {"viewer_not_in_audience"},
		},
		"all absent": {
			"given": fixture.over(fixture.list({"user:cat"}), []),
			"want": {"viewer_not_in_audience"},
		},
		"granted": {
			"given": object.union(
				fixture.over(fixture.narrow, []),
				{"candidate": {"granted_viewers": {"user:ann", "user:ben"}}},
			),
			"want": set(),
		},
		"granted to others": {
			"given": object.union(
				fixture.over(fixture.narrow, []),
				{"candidate": {"granted_viewers": {"user:ann", "user:cat"}}},
			),
			"want": {"viewer_not_in_audience"},
		},
		"viewers unknown": {
			"given": object.union(
				fixture.over(fixture.narrow, []),
				{"turn": {"viewers_basis": "guessed"}},
			),
			"want": set(),
		},
		"the source is narrower, not the item": {
			"given": fixture.over(fixture.covering, [fixture.narrow]),
			"want": set(),
		},
		"tenant": {
			"given": fixture.over(fixture.tenant, []),
			"want": set(),
		},
		"nobody": {
			"given": fixture.over(fixture.nobody, []),
			"want": set(),
		},
	}
	every form in fixture.forms(case.given) {
		viewer_not_in_audience.forbid == case.want with input as form
	}
}
