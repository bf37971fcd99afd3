package earshot.rules.item_not_live_test

import data.earshot.fixture_test as fixture
import data.earshot.rules.item_not_live

test_item_not_live[name] if {
	some name, case in {
		"live": {
			"given": {},
			"want": set(),
		},
		"erased": {
			"given": {"candidate": {"state": "erased"}},
			"want": {"item_not_live"},
		},
		"a state never heard of": {
			"given": {"candidate": {"state": "Live"}},
			"want": {"item_not_live"},
		},
		"empty": {
			"given": {"candidate": {"state": ""}},
			"want": {"item_not_live"},
		},
	}
	every form in fixture.forms(case.given) {
		item_not_live.forbid == case.want with input as form
	}
}
