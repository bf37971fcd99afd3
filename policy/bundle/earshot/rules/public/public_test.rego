package earshot.rules.public_test

import data.earshot.fixture_test as fixture
import data.earshot.rules.public

test_public[name] if {
	some name, case in {
		"declared public": {
			"given": fixture.over(fixture.everybody, []),
			"want": {"public"},
		},
		"public over public sources": {
			"given": fixture.over(fixture.everybody, [fixture.everybody, fixture.everybody]),
			"want": {"public"},
		},
		"inherited from a public source": {
			"given": fixture.over(fixture.inherited, [fixture.inherited, fixture.everybody]),
			"want": {"public"},
		},
		"public although nobody knows who listens": {
			"given": object.union(
				fixture.over(fixture.everybody, []),
				{"turn": {"viewers_stated": false, "viewers": set()}},
			),
			"want": {"public"},
		},
		"public over a tenant source": {
			"given": fixture.over(fixture.everybody, [fixture.everybody, fixture.tenant]),
			"want": set(),
		},
		"public over a list": {
			"given": fixture.over(fixture.everybody, [fixture.covering]),
			"want": set(),
		},
		"public over nobody": {
			"given": fixture.over(fixture.everybody, [fixture.nobody]),
			"want": set(),
		},
		"inherited from a narrower source": {
			"given": fixture.over(fixture.inherited, [fixture.everybody, fixture.tenant]),
			"want": set(),
		},
		"inherited from nothing that has an audience": {
			"given": fixture.over(fixture.inherited, [fixture.inherited]),
			"want": set(),
		},
		"inherited without sources": {
			"given": fixture.over(fixture.inherited, []),
			"want": set(),
		},
		"tenant over public": {
			"given": fixture.over(fixture.tenant, [fixture.everybody]),
			"want": set(),
		},
		"a list": {
			"given": fixture.over(fixture.covering, []),
			"want": set(),
		},
		"nobody": {
			"given": fixture.over(fixture.nobody, []),
			"want": set(),
		},
	}
	every form in fixture.forms(case.given) {
		public.permit == case.want with input as form
	}
}
