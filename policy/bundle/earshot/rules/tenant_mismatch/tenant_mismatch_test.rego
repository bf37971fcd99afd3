package earshot.rules.tenant_mismatch_test

import data.earshot.fixture_test as fixture
import data.earshot.rules.tenant_mismatch

test_tenant_mismatch[name] if {
	some name, case in {
		"the same": {
			"given": {},
			"want": set(),
		},
		"another": {
			"given": {"candidate": {"tenant": "other"}},
			"want": {"tenant_mismatch"},
		},
		"none beside a tenant": {
			"given": {"candidate": {"tenant": ""}},
			"want": {"tenant_mismatch"},
		},
		"a tenant beside none": {
			"given": {"turn": {"tenant": ""}},
			"want": {"tenant_mismatch"},
		},
		"none on both sides": {
			"given": {"turn": {"tenant": ""}, "candidate": {"tenant": ""}},
			"want": set(),
		},
		"public without a tenant": {
			"given": {"candidate": {"tenant": "", "audience": fixture.everybody}},
			"want": set(),
		},
		"public over public without a tenant": {
			"given": object.union(
				fixture.over(fixture.everybody, [fixture.everybody]),
				{"candidate": {"tenant": ""}},
			),
			"want": set(),
		},
		"public of another tenant": {
			"given": {"candidate": {"tenant": "other", "audience": fixture.everybody}},
			"want": {"tenant_mismatch"},
		},
		"public over tenant without a tenant": {
			"given": object.union(
				fixture.over(fixture.everybody, [fixture.tenant]),
				{"candidate": {"tenant": ""}},
			),
			"want": {"tenant_mismatch"},
		},
		"a source of the same tenant": {
			"given": {"candidate": {"sources": [fixture.source({}), fixture.source({"tenant": "acme"})]}},
			"want": set(),
		},
		"a source of another tenant": {
			"given": {"candidate": {"sources": [fixture.source({}), fixture.source({"tenant": "other"})]}},
			"want": {"tenant_mismatch"},
		},
		"public without a tenant over a source of another": {
			"given": {
				"candidate": {
					"tenant": "",
					"audience": fixture.everybody,
					"sources": [fixture.source({"tenant": "other", "audience": fixture.everybody})],
				},
			},
			"want": {"tenant_mismatch"},
		},
	}
	every form in fixture.forms(case.given) {
		tenant_mismatch.forbid == case.want with input as form
	}
}
