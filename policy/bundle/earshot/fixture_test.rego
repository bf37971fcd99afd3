# Input for the tests: one well-formed turn and one candidate that is admitted, and a way to change
# them. ann and ben are listening; the agent's own item was recorded when ann, ben and cat were there.
package earshot.fixture_test

now_ns := 1796068801000000000

seconds(n) := n * 1000000000

everybody := {"kind": "public", "members": set()}

tenant := {"kind": "tenant", "members": set()}

nobody := {"kind": "none", "members": set()}

inherited := {"kind": "inherited", "members": set()}

# Exactly those who are listening, and only one of them.
covering := list({"user:ann", "user:ben"})

narrow := list({"user:ann"})

list(members) := {"kind": "list", "members": members}

# A source with the audience of the candidate, changed by patch.
source(patch) := object.union(
	{
		"id": "s1",
		"audience": list({"user:ann", "user:ben", "user:cat"}),
		"tenant": "",
		"agent": "",
		"confidential": null,
		"state": "live",
		"expires_at_ns": null,
	},
	patch,
)

# A candidate with the declared audience and one source for each of the others.
over(declared, audiences) := {"candidate": {
	"audience": declared,
	"sources": [source({"audience": audience}) | some audience in audiences],
}}

# A reading of the room that agrees with the turn, changed by patch.
reading(patch) := object.union(
	{
		"source": "slack.conversations.members",
		"viewers": {"user:ann", "user:ben"},
		"complete": true,
		"observed_at_ns": now_ns,
	},
	patch,
)

settings := {
	"placeholders": ["unknown", "default", "anonymous"],
	"evidence_max_age_s": 300,
	"clock_skew_s": 30,
	"internal_bots": [],
	"revoked": [],
	"inherit_from": {},
	"handoff_chain_limit": 2,
	"overlap_fingerprints": 1,
	"seal_required": false,
}

# The input changed by patch, with sets and with arrays. The engine makes arrays, as JSON has them; a
# rule that answers both alike does not depend on their order or on repetitions.
forms(patch) := [sets, arrays] if {
	sets := object.union(_base, patch)
	arrays := json.unmarshal(json.marshal(sets))
}

_base := {
	"now_ns": now_ns,
	"turn": {
		"id": "t1",
		"attempt": 1,
		"tenant": "acme",
		"agent": "agent:scribe",
		"channel": "slack:C042",
		"viewers_stated": true,
		"viewers": {"user:ann", "user:ben"},
		"viewers_basis": "platform",
		"external_viewers": set(),
		"revoked_viewers": set(),
		"evidence": [],
		"attributes": {},
		"roster": {"kept": false, "members": set(), "revoked": set()},
	},
	"inheritance": {
		"authorized_agents": {"agent:researcher"},
		"prohibit_confidential": true,
		"require_attribution": true,
	},
	"candidate": {
		"id": "m1",
		"faults": set(),
		"audience": list({"user:ann", "user:ben", "user:cat"}),
		"audience_basis": "recorded",
		"tenant": "acme",
		"channel": "slack:C042",
		"agent": "agent:scribe",
		"shared": false,
		"confidential": null,
		"kind": "fact",
		"state": "live",
		"recorded_at_ns": null,
		"expires_at_ns": null,
		"digest": "",
		"seal": "absent",
		"store": "",
		"attributes": {},
		"granted_viewers": set(),
		"sources": [],
	},
}
