package earshot.handoff.gates.derived_without_sources_test

import data.earshot.handoff.fixture_test as fixture
import data.earshot.handoff.gates.derived_without_sources

test_derived_without_sources[name] if {
	some name, case in {
		"message without sources": {
			"given": {"element": {"kind": "message"}},
			"want": set(),
		},
		"fact without sources": {
			"given": {"element": {"kind": "fact"}},
			"want": set(),
		},
		"document without sources": {
			"given": {"element": {"kind": "document"}},
			"want": set(),
		},
		"tool_result without sources": {
			"given": {"element": {"kind": "tool_result"}},
			"want": set(),
		},
		"directive without sources": {
			"given": {"element": {"kind": "directive"}},
			"want": set(),
		},
		"prior without sources": {
			"given": {"element": {"kind": "prior"}},
			"want": set(),
		},
		"summary without sources": {
			"given": {"element": {"kind": "summary"}},
			"want": {"derived_without_sources"},
		},
		"node without sources": {
			"given": {"element": {"kind": "node"}},
			"want": {"derived_without_sources"},
		},
		"edge without sources": {
			"given": {"element": {"kind": "edge"}},
			"want": {"derived_without_sources"},
		},
		"summary with a source": {
			"given": {"element": object.union(fixture.over([{}]), {"kind": "summary"})},
			"want": set(),
		},
		"node with a source": {
			"given": {"element": object.union(fixture.over([{}]), {"kind": "node"})},
			"want": set(),
		},
		"edge with a source": {
			"given": {"element": object.union(fixture.over([{}]), {"kind": "edge"})},
			"want": set(),
		},
		"own summary without sources": {
			"given": {"element": {"source": "agent:billing", "kind": "summary"}},
			"want": {"derived_without_sources"},
		},
	}
	every form in fixture.forms(case.given) {
		derived_without_sources.forbid == case.want with input as form
	}
}
