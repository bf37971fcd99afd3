package earshot.audiences_test

import data.earshot.audiences
import data.earshot.fixture_test as fixture

# The meet of what is declared and what the sources declare. An empty set is nobody.
test_meet[name] if {
	some name, case in {
		"public": {"given": fixture.over(fixture.everybody, []), "want": {"public"}},
		"tenant": {"given": fixture.over(fixture.tenant, []), "want": {"tenant"}},
		"list": {"given": fixture.over(fixture.covering, []), "want": {"list"}},
		"nobody": {"given": fixture.over(fixture.nobody, []), "want": set()},
		"public over tenant": {"given": fixture.over(fixture.everybody, [fixture.tenant]), "want": {"tenant"}},
		"public over list": {"given": fixture.over(fixture.everybody, [fixture.narrow]), "want": {"list"}},
		"public over nobody": {"given": fixture.over(fixture.everybody, [fixture.nobody]), "want": set()},
		"tenant over public": {"given": fixture.over(fixture.tenant, [fixture.everybody]), "want": {"tenant"}},
		"tenant over list": {"given": fixture.over(fixture.tenant, [fixture.narrow]), "want": {"list"}},
		"tenant over nobody": {"given": fixture.over(fixture.tenant, [fixture.nobody]), "want": set()},
		"list over public": {"given": fixture.over(fixture.covering, [fixture.everybody]), "want": {"list"}},
		"list over tenant": {"given": fixture.over(fixture.covering, [fixture.tenant]), "want": {"list"}},
		"list over nobody": {"given": fixture.over(fixture.covering, [fixture.nobody]), "want": set()},
		"nobody over public": {"given": fixture.over(fixture.nobody, [fixture.everybody]), "want": set()},
		"inherited from public": {"given": fixture.over(fixture.inherited, [fixture.everybody]), "want": {"public"}},
		"inherited from tenant": {"given": fixture.over(fixture.inherited, [fixture.tenant]), "want": {"tenant"}},
		"inherited from list": {"given": fixture.over(fixture.inherited, [fixture.narrow]), "want": {"list"}},
		"inherited from list and nobody": {
			"given": fixture.over(fixture.inherited, [fixture.narrow, fixture.nobody]),
			"want": set(),
		},
		"inherited from a word never heard of": {
			"given": fixture.over(fixture.inherited, [fixture.everybody, {"kind": "world", "members": set()}]),
			"want": set(),
		},
		"inherited from nothing": {"given": fixture.over(fixture.inherited, []), "want": set()},
	}
	every form in fixture.forms(case.given) {
		_meet == case.want with input as form
	}
}

_meet contains "public" if audiences.public

_meet contains "tenant" if audiences.tenant_wide

_meet contains "list" if audiences.listed
