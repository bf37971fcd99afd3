package earshot.rules.source_audience_narrower_test

import data.earshot.fixture_test as fixture
import data.earshot.rules.source_audience_narrower

test_source_audience_narrower[name] if {
	some name, case in {
		"no sources": {
			"given": {},
			"want": set(),
		},
		"sources that cover": {
			"given": fixture.over(
				fixture.covering,
				[fixture.covering, fixture.everybody, fixture.tenant, fixture.inherited],
			),
			"want": set(),
		},
		"a narrower list under a list": {
			"given": fixture.over(fixture.covering, [fixture.covering, fixture.narrow]),
			"want": {"source_audience_narrower"},
		},
		"a narrower list under public": {
			"given": fixture.over(fixture.everybody, [fixture.narrow]),
			"want": {"source_audience_narrower"},
		},
		"a narrower list under tenant": {
			"given": fixture.over(fixture.tenant, [fixture.narrow]),
			"want": {"source_audience_narrower"},
		},
		"a narrower list that is inherited": {
			"given": fixture.over(fixture.inherited, [fixture.narrow]),
			"want": {"source_audience_narrower"},
		},
		"nobody under a list": {
			"given": fixture.over(fixture.covering, [fixture.nobody]),
			"want": {"source_audience_narrower"},
		},
		"nobody under public": {
			"given": fixture.over(fixture.everybody, [fixture.nobody]),
			"want": {"source_audience_narrower"},
		},
		"nobody under tenant": {
			"given": fixture.over(fixture.tenant, [fixture.nobody]),
			"want": {"source_audience_narrower"},
		},
		"nobody that is inherited": {
			"given": fixture.over(fixture.inherited, [fixture.nobody]),
			"want": {"source_audience_narrower"},
		},
		"the declared list would not do either": {
			"given": fixture.over(fixture.narrow, [fixture.narrow]),
			"want": set(),
		},
		"tenant would not do for an outsider": {
			"given": object.union(
				fixture.over(fixture.tenant, [fixture.narrow]),
				{"turn": {"external_viewers": {"user:ben"}}},
			),
			"want": set(),
		},
		"nobody is declared": {
			"given": fixture.over(fixture.nobody, [fixture.narrow]),
			"want": set(),
		},
		"granted": {
			"given": object.union(
				fixture.over(fixture.covering, [fixture.narrow]),
				{"candidate": {"granted_viewers": {"user:ann", "user:ben"}}},
			),
			"want": set(),
		},
		"viewers unknown": {
			"given": object.union(
				fixture.over(fixture.covering, [fixture.narrow]),
				{"turn": {"viewers_basis": "guessed"}},
			),
			"want": set(),
		},
	}
	every form in fixture.forms(case.given) {
		source_audience_narrower.forbid == case.want with input as form
	}
}
