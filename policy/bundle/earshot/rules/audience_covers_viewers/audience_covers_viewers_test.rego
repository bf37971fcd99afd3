package earshot.rules.audience_covers_viewers_test

import data.earshot.fixture_test as fixture
import data.earshot.rules.audience_covers_viewers

test_audience_covers_viewers[name] if {
	some name, case in {
		"all present and one more": {
			"given": {},
			"want": {"audience_covers_viewers"},
		},
		"exactly those present": {
			"given": fixture.over(fixture.covering, []),
			"want": {"audience_covers_viewers"},
		},
		"a viewer was absent": {
			"given": fixture.over(fixture.narrow, []),
			"want": set(),
		},
		"list over covering sources": {
			"given": fixture.over(
				fixture.covering,
				[fixture.covering, fixture.everybody, fixture.tenant, fixture.inherited],
			),
			"want": {"audience_covers_viewers"},
		},
		"list over a source that leaves a viewer out": {
			"given": fixture.over(fixture.covering, [fixture.covering, fixture.narrow]),
			"want": set(),
		},
		"list over nobody": {
			"given": fixture.over(fixture.covering, [fixture.nobody]),
			"want": set(),
		},
		"inherited from covering lists": {
			"given": fixture.over(
				fixture.inherited,
				[fixture.covering, fixture.list({"user:ann", "user:ben", "user:dan"})],
			),
			"want": {"audience_covers_viewers"},
		},
		"inherited from lists that meet too narrowly": {
			"given": fixture.over(fixture.inherited, [fixture.narrow, fixture.list({"user:ben"})]),
			"want": set(),
		},
		"public over a covering list": {
			"given": fixture.over(fixture.everybody, [fixture.covering]),
			"want": {"audience_covers_viewers"},
		},
		"tenant over a covering list": {
			"given": fixture.over(fixture.tenant, [fixture.covering]),
			"want": {"audience_covers_viewers"},
		},
		"viewers unknown": {
			"given": {"turn": {"viewers_basis": "guessed"}},
			"want": set(),
		},
		"nobody listening": {
			"given": {"turn": {"viewers": set()}},
			"want": set(),
		},
		"public all through": {
			"given": fixture.over(fixture.everybody, [fixture.everybody]),
			"want": set(),
		},
		"tenant all through": {
			"given": fixture.over(fixture.tenant, [fixture.tenant]),
			"want": set(),
		},
		"nobody over a covering list": {
			"given": fixture.over(fixture.nobody, [fixture.covering]),
			"want": set(),
		},
		"names are compared byte for byte": {
			"given": fixture.over(fixture.list({"user:Ann", "user:ben"}), []),
			"want": set(),
		},
	}
	every form in fixture.forms(case.given) {
		audience_covers_viewers.permit == case.want with input as form
	}
}
