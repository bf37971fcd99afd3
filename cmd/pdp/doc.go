// Command pdp is the decision point as a program: a server, and commands for those who write the
// policy and those who read the log. Start with `pdp --help`.
//
// It wires the packages together and holds no rule of its own.
//
// What it promises: exit status 0 means that all is well, 1 that a check failed or something broke,
// 2 that it was used wrongly. What a command has to say goes to standard output, what went wrong to
// standard error, with what to do about it. The server ends on SIGINT, SIGTERM and SIGHUP after
// it has finished what it accepted.
//
// What it never does: listen beyond loopback without authentication unless it is told to, or decide
// without a record and keep quiet about it.
package main
