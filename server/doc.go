// Package server is the HTTP door of the decision point. A handler decodes, makes one call and
// encodes; what is decided, and by which rule, is none of its business.
//
// What it promises: every refusal is a problem document (RFC 9457) with a code of the wire contract
// and a sentence that says what to do. A request is read whole before it is decided and an answer
// is encoded whole before it is sent, so that nothing half-read is decided and nothing half-written
// is believed. A panic or an unexpected error admits nothing and tells the caller nothing of its
// cause.
//
// What it never does: answer a decision that was not recorded; answer, where no token is asked for, a
// request that was meant for another host; or write bodies, tokens, query strings or names of principals
// to its own log. An error of the policy stands there as the policy's engine words it.
package server
