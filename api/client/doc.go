// Package client is everything that a program can do with a Ringmaster daemon: it makes sessions, sends prompts, answers what agents ask, and reads logs,
// live and across lost connections.
//
// Find makes a Client of the daemon of a data folder on this machine, At of one at an address. What belongs to one session is in a Session:
//
//	c, err := client.Find("")
//	made, err := c.Create(ctx, client.New{NewSession: resource.NewSession{Agent: "pi", Cwd: "/src/project"}})
//	receipt, err := c.Prompt(ctx, made.ID, client.Prompt{Text: "why does the test fail?"})
//	for u, err := range c.Follow(ctx, made.ID, protocol.Cursor{}) { … }
//
// # Errors
//
// An error is one of three kinds. What the daemon refuses is a *protocol.Problem, with a code for programs and a hint for people. Where no daemon answers
// it is an *Unreachable, which says whether the request may have reached the daemon. And where a context is done it is the context's cause. Others say that the
// daemon's answer was not as the protocol wants it; ErrGap is one of them.
//
// # Calls that are lost
//
// Every call that changes something has a key of idempotency. Where its connection is lost before the answer it is sent again, for as long as Patience says,
// and is carried out once all the same. Where the daemon ended between the acceptance and the answer, the error is a problem of protocol.CodeUncertain whose
// LookAt says where to see what came of it; what was answered with a secret is protocol.CodeAnswerGone then. Prompts and sessions are never uncertain: the
// daemon knows them by their keys.
//
// # Times
//
// A context ends everything: calls, loops over Log and Follow. No goroutine outlives the call that has begun it. Calls have no limit in time of their own, but
// for a minute until the daemon's answer begins; a stream that is silent for 45 s counts as lost (spec §7.4).
//
// The package needs nothing but the standard library and the package protocol, whose types it shows.
package client
