package earshot.rules.audience_missing_test

import data.earshot.fixture_test as fixture
import data.earshot.rules.audience_missing

test_audience_missing[name] if {
	some name, case in {
		"a list": {
			"given": {},
			"want": set(),
		},
		"tenant": {
			"given": fixture.over(fixture.tenant, []),
			"want": set(),
		},
		"public": {
			"given": fixture.over(fixture.everybody, []),
			"want": set(),
		},
		"nobody": {
			"given": fixture.over(fixture.nobody, []),
			"want": {"audience_missing"},
		},
		"nobody over public": {
			"given": fixture.over(fixture.nobody, [fixture.everybody]),
			"want": {"audience_missing"},
		},
		"inherited from a list": {
			"given": fixture.over(fixture.inherited, [fixture.inherited, fixture.covering]),
			"want": set(),
		},
		"inherited from nobody": {
			"given": fixture.over(fixture.inherited, [fixture.nobody]),
			"want": set(),
		},
		"inherited without sources": {
			"given": fixture.over(fixture.inherited, []),
			"want": {"audience_missing"},
		},
		"inherited from nothing that has an audience": {
			"given": fixture.over(fixture.inherited, [fixture.inherited]),
			"want": {"audience_missing"},
		},
	}
	every form in fixture.forms(case.given) {
		audience_missing.forbid == case.want with input as form
	}
}
