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
// Or the body of a hand-off, whose answer has no viewers and a verdict with its directive:
//
//	handoff:
//	  agent_id: agent:billing
//	  elements: [{element_id: e1, source_agent_id: agent:billing}]
//	  boundary: {shared_substrate: true}
//	want:
//	  verdict: ISOLATED_CONTEXT
//	  directive: "PROCEED: Agent agent:billing has isolated context."
//	  results:
//	    - {id: e1, admit: true, reasons: [own_element]}
//
// What it promises: a case that asserts nothing, whose world is impossible, or that speaks of codes
// that nothing gives, is refused with file and line. A case passes only if the answer equals what it
// wants; verdict, directive and manifest_digest are compared where they are given. This is held for
// every case besides, whether it says so or not:
//
//   - The recorder was given one entry, which is the one that was answered and has the wanted viewers,
//     verdict, directive and results. A refused request records nothing.
//   - Each admission belongs to the Point that decided, and they are those of the results that admit.
//     A hand-off admits all or nothing, as its directive says.
//   - The answer names none of the people who listen or who did not hear something. An auditor's answer
//     does.
//
// So want.recorded may be left out. It adds what the log has and the answer has not, such as the stated
// viewers, and stands wherever the claim is about the log. want.absent adds texts that must not come into
// the answer or into the problem document. A text that could not have come there is refused: one that
// neither the answer in its fullest form has, nor the candidates whose faults it tells, nor the body that
// was refused.
//
// What it never does: open a socket or a database, read the real clock, or change a case.
package policytest
