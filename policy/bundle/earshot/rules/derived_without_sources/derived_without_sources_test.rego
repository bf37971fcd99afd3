package earshot.rules.derived_without_sources_test

import data.earshot.fixture_test as fixture
import data.earshot.rules.derived_without_sources

test_derived_without_sources[name] if {
	some name, case in {
		"message without sources": {
			"given": {"candidate": {"kind": "message"}},
			"want": set(),
		},
		"fact without sources": {
			"given": {"candidate": {"kind": "fact"}},
			"want": set(),
		},
		"document without sources": {
			"given": {"candidate": {"kind": "document"}},
			"want": set(),
		},
		"tool_result without sources": {
			"given": {"candidate": {"kind": "tool_result"}},
			"want": set(),
		},
		"directive without sources": {
			"given": {"candidate": {"kind": "directive"}},
			"want": set(),
		},
		"prior without sources": {
			"given": {"candidate": {"kind": "prior"}},
			"want": set(),
		},
		"summary without sources": {
			"given": {"candidate": {"kind": "summary"}},
			"want": {"derived_without_sources"},
		},
		"node without sources": {
			"given": {"candidate": {"kind": "node"}},
			"want": {"derived_without_sources"},
		},
		"edge without sources": {
			"given": {"candidate": {"kind": "edge"}},
			"want": {"derived_without_sources"},
		},
		"summary with a source": {
			"given": {"candidate": {"kind": "summary", "sources": [fixture.source({})]}},
			"want": set(),
		},
		"node with a source": {
			"given": {"candidate": {"kind": "node", "sources": [fixture.source({})]}},
			"want": set(),
		},
		"edge with a source": {
			"given": {"candidate": {"kind": "edge", "sources": [fixture.source({})]}},
			"want": set(),
		},
	}
	every form in fixture.forms(case.given) {
		derived_without_sources.forbid == case.want with input as form
	}
}
