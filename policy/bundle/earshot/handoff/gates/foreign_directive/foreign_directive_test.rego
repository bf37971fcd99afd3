package earshot.handoff.gates.foreign_directive_test

import data.earshot.handoff.fixture_test as fixture
import data.earshot.handoff.gates.foreign_directive

test_foreign_directive[name] if {
	some name, case in {
		"another agent's fact": {
			"given": {},
			"want": set(),
		},
		"another agent's directive": {
			"given": {"element": {"kind": "directive"}},
			"want": {"foreign_directive"},
		},
		"own directive": {
			"given": {"element": {"source": "agent:billing", "kind": "directive"}},
			"want": set(),
		},
		"directive of nobody": {
			"given": fixture.nobodys({}, {"kind": "directive"}),
			"want": set(),
		},
		"own directive, back through others": {
			"given": {"element": {"source": "agent:billing", "kind": "directive", "inherited_via": ["agent:intake"]}},
			"want": {"foreign_directive"},
		},
		"own directive, back through itself": {
			"given": {"element": {"source": "agent:billing", "kind": "directive", "inherited_via": ["agent:billing"]}},
			"want": set(),
		},
		"own directive, back with its digest": {
			"given": {"element": {"source": "agent:billing", "kind": "directive", "digest": "sha256:1", "inherited_via": ["agent:intake"]}},
			"want": set(),
		},
		"own fact, back through others": {
			"given": {"element": {"source": "agent:billing", "inherited_via": ["agent:intake"]}},
			"want": set(),
		},
		"over a fact": {
			"given": {"element": fixture.over([{}])},
			"want": set(),
		},
		"over a directive": {
			"given": {"element": fixture.over([{}, {"kind": "directive"}])},
			"want": {"foreign_directive"},
		},
		"over its own directive, by another": {
			"given": {"element": fixture.over([{"source": "agent:billing", "kind": "directive"}])},
			"want": {"foreign_directive"},
		},
		"over its own directive, by itself": {
			"given": {"element": object.union(fixture.over([{"source": "agent:billing", "kind": "directive"}]), {"source": "agent:billing"})},
			"want": set(),
		},
		"own, over the directive of another": {
			"given": {"element": object.union(fixture.over([{"kind": "directive"}]), {"source": "agent:billing"})},
			"want": {"foreign_directive"},
		},
		"own, over its own directive that went through others": {
			"given": {"element": object.union(fixture.over([{"source": "agent:billing", "kind": "directive", "digest": "sha256:1", "inherited_via": ["agent:intake"]}]), {"source": "agent:billing"})},
			"want": {"foreign_directive"},
		},
		"own, over its own directive, back through others": {
			"given": {"element": object.union(fixture.over([{"source": "agent:billing", "kind": "directive"}]), {"source": "agent:billing", "inherited_via": ["agent:intake"]})},
			"want": {"foreign_directive"},
		},
		"own, over its own directive, back with its digest": {
			"given": {"element": object.union(fixture.over([{"source": "agent:billing", "kind": "directive"}]), {"source": "agent:billing", "digest": "sha256:1", "inherited_via": ["agent:intake"]})},
			"want": set(),
		},
	}
	every form in fixture.forms(case.given) {
		foreign_directive.forbid == case.want with input as form
	}
}
