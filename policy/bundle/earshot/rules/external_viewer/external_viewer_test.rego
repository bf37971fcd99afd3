package earshot.rules.external_viewer_test

import data.earshot.fixture_test as fixture
import data.earshot.rules.external_viewer

test_external_viewer[name] if {
	some name, case in {
		"nobody from outside": {
			"given": fixture.over(fixture.tenant, []),
			"want": set(),
		},
		"outsider and tenant": {
			"given": object.union(
				fixture.over(fixture.tenant, []),
				{"turn": {"external_viewers": {"user:ben"}}},
			),
			"want": {"external_viewer"},
		},
		"outsider and a tenant source": {
			"given": object.union(
				fixture.over(fixture.everybody, [fixture.tenant]),
				{"turn": {"external_viewers": {"user:ben"}}},
			),
			"want": {"external_viewer"},
		},
		"outsider on the list over a tenant source": {
			"given": object.union(
				fixture.over(fixture.covering, [fixture.tenant]),
				{"turn": {"external_viewers": {"user:ben"}}},
			),
			"want": {"external_viewer"},
		},
		"outsider on the list": {
			"given": {"turn": {"external_viewers": {"user:ben"}}},
			"want": set(),
		},
		"outsider and public": {
			"given": object.union(
				fixture.over(fixture.everybody, [fixture.everybody]),
				{"turn": {"external_viewers": {"user:ben"}}},
			),
			"want": set(),
		},
		"outsider who is not a viewer": {
			"given": object.union(
				fixture.over(fixture.tenant, []),
				{"turn": {"external_viewers": {"user:dan"}}},
			),
			"want": set(),
		},
		"outsider and a grant": {
			"given": object.union(
				object.union(
					fixture.over(fixture.tenant, []),
					{"turn": {"external_viewers": {"user:ben"}}},
				),
				{"candidate": {"granted_viewers": {"user:ann", "user:ben"}}},
			),
			"want": {"external_viewer"},
		},
	}
	every form in fixture.forms(case.given) {
		external_viewer.forbid == case.want with input as form
	}
}
