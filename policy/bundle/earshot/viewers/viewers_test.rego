package earshot.viewers_test

import data.earshot.fixture_test as fixture
import data.earshot.viewers

test_reasons[name] if {
	some name, case in {
		"known": {
			"given": {},
			"want": set(),
		},
		"missing": {
			"given": {"turn": {"viewers_stated": false, "viewers": set()}},
			"want": {"viewers_missing"},
		},
		"missing however known": {
			"given": {"turn": {"viewers_stated": false}},
			"want": {"viewers_missing"},
		},
		"empty": {
			"given": {"turn": {"viewers": set()}},
			"want": {"viewers_empty"},
		},
		"one placeholder": {
			"given": {"turn": {"viewers": {"user:ann", "anonymous"}}},
			"want": {"viewer_placeholder"},
		},
		"placeholder with prefix in capitals": {
			"given": {"turn": {"viewers": {"USER:Unknown"}}},
			"want": {"viewer_placeholder"},
		},
		"placeholder as part of a name": {
			"given": {"turn": {"viewers": {"user:unknown-ann", "agent:default"}}},
			"want": set(),
		},
		"guessed": {
			"given": {"turn": {"viewers_basis": "guessed"}},
			"want": {"viewers_not_authenticated"},
		},
		"basis empty": {
			"given": {"turn": {"viewers_basis": ""}},
			"want": {"viewers_not_authenticated"},
		},
		"readings agree": {
			"given": {"turn": {"evidence": [fixture.reading({}), fixture.reading({"source": "other"})]}},
			"want": set(),
		},
		"reading has one more": {
			"given": {
				"turn": {"evidence": [fixture.reading({"viewers": {"user:ann", "user:ben", "user:cat"}})]},
			},
			"want": {"evidence_disagrees"},
		},
		"reading has one fewer": {
			"given": {
				"turn": {"evidence": [fixture.reading({}), fixture.reading({"viewers": {"user:ann"}})]},
			},
			"want": {"evidence_disagrees"},
		},
		"reading has nobody": {
			"given": {"turn": {"evidence": [fixture.reading({"viewers": set()})]}},
			"want": {"evidence_disagrees"},
		},
		"missing with one reading": {
			"given": {
				"turn": {"viewers_stated": false, "viewers": set(), "evidence": [fixture.reading({})]},
			},
			"want": {"viewers_missing"},
		},
		"missing with readings that disagree": {
			"given": {
				"turn": {
					"viewers_stated": false,
					"viewers": set(),
					"evidence": [fixture.reading({}), fixture.reading({"viewers": {"user:ann"}})],
				},
			},
			"want": {"evidence_disagrees", "viewers_missing"},
		},
		"reading cut short": {
			"given": {"turn": {"evidence": [fixture.reading({"complete": false})]}},
			"want": {"evidence_incomplete"},
		},
		"reading as old as allowed": {
			"given": {
				"turn": {
					"evidence": [
						fixture.reading({"observed_at_ns": fixture.now_ns - fixture.seconds(300)}),
					],
				},
			},
			"want": set(),
		},
		"reading too old": {
			"given": {
				"turn": {
					"evidence": [
						fixture.reading({"observed_at_ns": (fixture.now_ns - fixture.seconds(300)) - 1}),
					],
				},
			},
			"want": {"evidence_stale"},
		},
		"reading as far ahead as allowed": {
			"given": {
				"turn": {
					"evidence": [fixture.reading({"observed_at_ns": fixture.now_ns + fixture.seconds(30)})],
				},
			},
			"want": set(),
		},
		"reading too far ahead": {
			"given": {
				"turn": {
					"evidence": [
						fixture.reading({"observed_at_ns": (fixture.now_ns + fixture.seconds(30)) + 1}),
					],
				},
			},
			"want": {"evidence_stale"},
		},
		"outsider among the viewers": {
			"given": {"turn": {"external_viewers": {"user:ben"}}},
			"want": set(),
		},
		"outsider who is not a viewer": {
			"given": {"turn": {"external_viewers": {"user:dan"}}},
			"want": {"external_not_viewer"},
		},
		"outsider while viewers are missing": {
			"given": {
				"turn": {"viewers_stated": false, "viewers": set(), "external_viewers": {"user:ben"}},
			},
			"want": {"external_not_viewer", "viewers_missing"},
		},
		"roster agrees": {
			"given": {"turn": {"roster": {"kept": true, "members": {"user:ann", "user:ben"}}}},
			"want": set(),
		},
		"roster has one more": {
			"given": {"turn": {"roster": {"kept": true, "members": {"user:ann", "user:ben", "user:cat"}}}},
			"want": {"roster_disagrees"},
		},
		"roster has one fewer": {
			"given": {"turn": {"roster": {"kept": true, "members": {"user:ann"}}}},
			"want": {"roster_disagrees"},
		},
		"roster is empty": {
			"given": {"turn": {"roster": {"kept": true}}},
			"want": {"roster_disagrees"},
		},
		"missing while a roster is kept": {
			"given": {
				"turn": {
					"viewers_stated": false,
					"viewers": set(),
					"roster": {"kept": true, "members": {"user:ann"}},
				},
			},
			"want": {"viewers_missing"},
		},
		"several at once": {
			"given": {
				"turn": {
					"viewers": set(),
					"viewers_basis": "default",
					"external_viewers": {"user:ben"},
					"evidence": [fixture.reading({"complete": false, "observed_at_ns": 0})],
				},
			},
			"want": {
				"evidence_disagrees",
				"evidence_incomplete",
				"evidence_stale",
				"external_not_viewer",
				"viewers_empty",
				"viewers_not_authenticated",
			},
		},
	}
	known := count(case.want) == 0
	every form in fixture.forms(case.given) {
		report := viewers.report with input as object.remove(form, ["candidate"])
			with data.earshot.settings as fixture.settings
		report.reasons == case.want
		report.known == known
	}
}

test_internal_bots[name] if {
	some name, case in {
		"bot beside people": {
			"given": {"viewers": {"user:ann", "bot:recorder"}},
			"want": {"known": true, "reasons": set(), "present": {"user:ann"}},
		},
		"nobody but a bot": {
			"given": {"viewers": {"bot:recorder"}},
			"want": {"known": false, "reasons": {"viewers_empty"}, "present": set()},
		},
		"bot that only some accounts mention": {
			"given": {
				"evidence": [
					fixture.reading({"viewers": {"user:ann", "user:ben", "bot:recorder"}}),
					fixture.reading({}),
				],
				"roster": {"kept": true, "members": {"user:ann", "user:ben", "bot:recorder"}},
			},
			"want": {"known": true, "reasons": set(), "present": {"user:ann", "user:ben"}},
		},
		"bot from outside": {
			"given": {"viewers": {"user:ann", "bot:recorder"}, "external_viewers": {"bot:recorder"}},
			"want": {"known": false, "reasons": {"external_not_viewer"}, "present": {"user:ann"}},
		},
		"bot with a name that identifies nobody": {
			"given": {"viewers": {"user:ann", "unknown"}},
			"want": {"known": false, "reasons": {"viewer_placeholder"}, "present": {"user:ann"}},
		},
	}
	settings := object.union(fixture.settings, {"internal_bots": ["bot:recorder", "unknown"]})
	every form in fixture.forms({"turn": case.given}) {
		viewers.report == case.want with input as form with data.earshot.settings as settings
	}
}

# Every placeholder that ships must match as it stands, with a prefix and in capitals.
test_placeholder[name] if {
	some name in data.earshot.settings.placeholders
	every viewer in {name, concat("", ["user:", name]), upper(name), concat("", ["User:", upper(name)])} {
		every form in fixture.forms({"turn": {"viewers": {"user:ann", viewer}}}) {
			viewers.report.reasons == {"viewer_placeholder"} with input as form
		}
	}
}
