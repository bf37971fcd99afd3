package earshot.rules.revoked_test

import data.earshot.fixture_test as fixture
import data.earshot.rules.revoked

test_revoked[name] if {
	some name, case in {
		"nobody": {
			"given": {},
			"want": set(),
			"settings": {},
		},
		"by the turn": {
			"given": {"turn": {"revoked_viewers": {"user:ben"}}},
			"want": {"revoked"},
			"settings": {},
		},
		"by the roster": {
			"given": {"turn": {"roster": {"revoked": {"user:ben"}}}},
			"want": {"revoked"},
			"settings": {},
		},
		"by the settings": {
			"given": {},
			"want": {"revoked"},
			"settings": {"revoked": ["user:ben"]},
		},
		"somebody who is not listening": {
			"given": {"turn": {"revoked_viewers": {"user:cat"}}},
			"want": set(),
			"settings": {"revoked": ["user:dan"]},
		},
		"public": {
			"given": object.union(
				fixture.over(fixture.everybody, []),
				{"turn": {"revoked_viewers": {"user:ben"}}},
			),
			"want": set(),
			"settings": {},
		},
		"public over a tenant source": {
			"given": object.union(
				fixture.over(fixture.everybody, [fixture.tenant]),
				{"turn": {"revoked_viewers": {"user:ben"}}},
			),
			"want": {"revoked"},
			"settings": {},
		},
		"viewers unknown": {
			"given": {"turn": {"viewers_basis": "guessed", "revoked_viewers": {"user:ben"}}},
			"want": {"revoked"},
			"settings": {},
		},
		"granted": {
			"given": {
				"turn": {"revoked_viewers": {"user:ben"}},
				"candidate": {"granted_viewers": {"user:ann", "user:ben"}},
			},
			"want": {"revoked"},
			"settings": {},
		},
	}
	settings := object.union(fixture.settings, case.settings)
	every form in fixture.forms(case.given) {
		revoked.forbid == case.want with input as form with data.earshot.settings as settings
	}
}
