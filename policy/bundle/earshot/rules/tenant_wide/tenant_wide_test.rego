package earshot.rules.tenant_wide_test

import data.earshot.fixture_test as fixture
import data.earshot.rules.tenant_wide

test_tenant_wide[name] if {
	some name, case in {
		"declared tenant": {
			"given": fixture.over(fixture.tenant, []),
			"want": {"tenant_wide"},
		},
		"tenant over public and tenant sources": {
			"given": fixture.over(fixture.tenant, [fixture.everybody, fixture.tenant]),
			"want": {"tenant_wide"},
		},
		"public over a tenant source": {
			"given": fixture.over(fixture.everybody, [fixture.everybody, fixture.tenant]),
			"want": {"tenant_wide"},
		},
		"inherited from a tenant source": {
			"given": fixture.over(fixture.inherited, [fixture.inherited, fixture.tenant]),
			"want": {"tenant_wide"},
		},
		"an outsider is listening": {
			"given": object.union(
				fixture.over(fixture.tenant, []),
				{"turn": {"external_viewers": {"user:ben"}}},
			),
			"want": set(),
		},
		"viewers unknown": {
			"given": object.union(
				fixture.over(fixture.tenant, []),
				{"turn": {"viewers_stated": false, "viewers": set()}},
			),
			"want": set(),
		},
		"tenant over a list": {
			"given": fixture.over(fixture.tenant, [fixture.covering]),
			"want": set(),
		},
		"tenant over nobody": {
			"given": fixture.over(fixture.tenant, [fixture.nobody]),
			"want": set(),
		},
		"public over tenant and list": {
			"given": fixture.over(fixture.everybody, [fixture.tenant, fixture.covering]),
			"want": set(),
		},
		"public all through": {
			"given": fixture.over(fixture.everybody, [fixture.everybody]),
			"want": set(),
		},
		"a list": {
			"given": fixture.over(fixture.covering, []),
			"want": set(),
		},
		"nobody over tenant": {
			"given": fixture.over(fixture.nobody, [fixture.tenant]),
			"want": set(),
		},
	}
	every form in fixture.forms(case.given) {
		tenant_wide.permit == case.want with input as form
	}
}
