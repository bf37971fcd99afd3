package earshot.handoff.gates.chain_too_long_test

import data.earshot.fixture_test as decisions
import data.earshot.handoff.fixture_test as fixture
import data.earshot.handoff.gates.chain_too_long

test_chain_too_long[name] if {
	some name, case in {
		"straight": {
			"given": {"element": {}},
			"want": set(),
			"settings": {"handoff_chain_limit": 0},
		},
		"as long as may be": {
			"given": {"element": {"inherited_via": ["agent:intake", "agent:intake"]}},
			"want": set(),
			"settings": {},
		},
		"longer": {
			"given": {"element": {"inherited_via": ["agent:intake", "agent:intake", "agent:intake"]}},
			"want": {"chain_too_long"},
			"settings": {},
		},
		"one hand where none may be": {
			"given": {"element": {"inherited_via": ["agent:intake"]}},
			"want": {"chain_too_long"},
			"settings": {"handoff_chain_limit": 0},
		},
		"own, and longer": {
			"given": {"element": {"source": "agent:billing", "inherited_via": ["agent:intake", "agent:intake", "agent:intake"]}},
			"want": set(),
			"settings": {},
		},
		"nobody's, and longer": {
			"given": fixture.nobodys({}, {"inherited_via": ["agent:intake", "agent:intake", "agent:intake"]}),
			"want": {"chain_too_long"},
			"settings": {},
		},
		"over what its maker introduced": {
			"given": {"element": fixture.over([{}])},
			"want": set(),
			"settings": {"handoff_chain_limit": 0},
		},
		"over what another introduced": {
			"given": {"element": fixture.over([{"source": "agent:legal"}])},
			"want": {"chain_too_long"},
			"settings": {"handoff_chain_limit": 0},
		},
		"the hands of a source and of the element, as long as may be": {
			"given": {"element": object.union(fixture.over([{"inherited_via": ["agent:intake"]}]), {"inherited_via": ["agent:intake"]})},
			"want": set(),
			"settings": {},
		},
		"the hands of a source and of the element, longer": {
			"given": {"element": object.union(fixture.over([{"inherited_via": ["agent:intake", "agent:intake"]}]), {"inherited_via": ["agent:intake"]})},
			"want": {"chain_too_long"},
			"settings": {},
		},
		"the hands of a source, its maker and the element, as long as may be": {
			"given": {"element": object.union(fixture.over([{"source": "agent:legal", "inherited_via": []}]), {"inherited_via": ["agent:intake"]})},
			"want": set(),
			"settings": {},
		},
		"the hands of a source, its maker and the element, longer": {
			"given": {"element": object.union(fixture.over([{"source": "agent:legal", "inherited_via": ["agent:intake"]}]), {"inherited_via": ["agent:intake"]})},
			"want": {"chain_too_long"},
			"settings": {},
		},
		"over its own source, and longer": {
			"given": {"element": fixture.over([{"source": "agent:billing", "inherited_via": ["agent:intake", "agent:intake", "agent:intake"]}])},
			"want": set(),
			"settings": {},
		},
		"own, over a source as long as may be": {
			"given": {"element": object.union(fixture.over([{"inherited_via": ["agent:intake", "agent:intake"]}]), {"source": "agent:billing", "inherited_via": ["agent:intake"]})},
			"want": set(),
			"settings": {},
		},
		"own, over a source that is longer": {
			"given": {"element": object.union(fixture.over([{"inherited_via": ["agent:intake", "agent:intake", "agent:intake"]}]), {"source": "agent:billing"})},
			"want": {"chain_too_long"},
			"settings": {},
		},
	}
	settings := object.union(decisions.settings, case.settings)
	every form in fixture.forms(case.given) {
		chain_too_long.forbid == case.want with input as form with data.earshot.settings as settings
	}
}
