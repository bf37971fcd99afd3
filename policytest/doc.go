// Package policytest is the proof of the decision point: cases as data, the Rego tests of the
// bundle as Go subtests, laws, wrong policies and wrong engines that must be noticed, programs that
// must not compile, and the import rules of the module.
//
// A case is one YAML file that states one claim: a small world or a request as a caller posts it,
// what this service knows besides, the exact answer, and what the log has of it. Read reads a tree of
// them, and Policy.Check holds each against a policy by the way a real request takes: decoded by
// server/wire, decided by a policy.Point, recorded, encoded.
//
// The folder of a case is its topic, and its file is named after its claim:
//
//	claim: A private chat stays out of a group
//	why: Ben reads the group and did not hear what Ann said to the agent alone.
//	now: 2026-11-30T20:00:01Z
//	request:
//	  turn: {agent: agent:scribe, viewers: [user:ann, user:ben]}
//	  candidates:
//	    - {id: m1, audience: [user:ann], agent: agent:scribe}
//	want:
//	  viewers: {status: known}
//	  results:
//	    - {id: m1, admit: false, reasons: [viewer_not_in_audience]}
//
// In place of the request stands the world where the claim is about people and not about the form of
// a request. Package world has its words:
//
//	world:
//	  people: [user:ann, user:ben]
//	  agents: [agent:scribe]
//	  channels:
//	    chat:ann: {kind: direct, members: [user:ann]}
//	    chat:group: {kind: group, members: [user:ann, user:ben]}
//	  happened:
//	    - {who: user:ann, says: m1, in: chat:ann}
//	  here_now: {channel: chat:group}
//
// What it promises: a case that asserts nothing, or whose world is impossible, is refused when it is
// read. A case passes only if the answer equals what it wants in every field, the recorder was given
// exactly what was answered, and each admission belongs to the Point that decided. A refused request
// records nothing.
//
// What it never does: open a socket or a database, read the real clock, or change a case.
package policytest
