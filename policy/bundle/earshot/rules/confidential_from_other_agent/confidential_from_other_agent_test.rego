package earshot.rules.confidential_from_other_agent_test

import data.earshot.fixture_test as fixture
import data.earshot.rules.confidential_from_other_agent

test_confidential_from_other_agent[name] if {
	some name, case in {
		"own and confidential": {
			"given": {"candidate": {"confidential": true}},
			"want": set(),
		},
		"another agent's and not confidential": {
			"given": {"candidate": {"agent": "agent:researcher", "confidential": false}},
			"want": set(),
		},
		"another agent's and confidential": {
			"given": {"candidate": {"agent": "agent:researcher", "confidential": true}},
			"want": {"confidential_from_other_agent"},
		},
		"another agent's and not stated": {
			"given": {"candidate": {"agent": "agent:researcher"}},
			"want": {"confidential_from_other_agent"},
		},
		"another agent's and allowed": {
			"given": {
				"inheritance": {"prohibit_confidential": false},
				"candidate": {"agent": "agent:researcher", "confidential": true},
			},
			"want": set(),
		},
		"nobody named": {
			"given": {"candidate": {"agent": "", "confidential": true}},
			"want": set(),
		},
		"another agent's source, not stated": {
			"given": {"candidate": {"sources": [fixture.source({"agent": "agent:researcher"})]}},
			"want": {"confidential_from_other_agent"},
		},
		"another agent's source, confidential": {
			"given": {
				"candidate": {
					"confidential": false,
					"sources": [fixture.source({"agent": "agent:researcher", "confidential": true})],
				},
			},
			"want": {"confidential_from_other_agent"},
		},
		"another agent's source, not confidential": {
			"given": {
				"candidate": {
					"sources": [fixture.source({"agent": "agent:researcher", "confidential": false})],
				},
			},
			"want": set(),
		},
		"another agent's source, allowed": {
			"given": {
				"inheritance": {"prohibit_confidential": false},
				"candidate": {"sources": [fixture.source({"agent": "agent:researcher"})]},
			},
			"want": set(),
		},
		"own source, confidential": {
			"given": {
				"candidate": {"sources": [fixture.source({"agent": "agent:scribe", "confidential": true})]},
			},
			"want": set(),
		},
		"source of nobody, confidential": {
			"given": {"candidate": {"sources": [fixture.source({"confidential": true})]}},
			"want": set(),
		},
		"source of nobody, confidential, of another agent's item": {
			"given": {
				"candidate": {
					"agent": "agent:researcher",
					"confidential": false,
					"sources": [fixture.source({"confidential": true})],
				},
			},
			"want": {"confidential_from_other_agent"},
		},
		"source of nobody, not stated, of another agent's item": {
			"given": {
				"candidate": {"agent": "agent:researcher", "confidential": false, "sources": [fixture.source({})]},
			},
			"want": set(),
		},
	}
	every form in fixture.forms(case.given) {
		confidential_from_other_agent.forbid == case.want with input as form
	}
}
