// Package audit holds the validators that every proof uses, from the session core's property test to the daemon that is
// killed under load. They know nothing of what made a log or a history.
//
// Log checks that one log is well formed, event by event: the invariants of spec §§3, 4 and 6 (numbering I1, time I2, entries
// I4 and I5, turns and requests I6, status I8).
//
// An Outcome is what every channel has to say of a turn that has ended: items, calls that waited, tasks (spec §8).
//
// A History is what one client was told, in the order in which it was told; a Recorder keeps it as NDJSON, so that it outlives
// whatever is being proven. A Ledger is what a session's log holds afterwards. The validators of histories are named after
// promises: Ordered, Unique, Reliable, Resumable, Agreeing, Durable, Idempotent, Reaped, Graceful. What breaks one is an error
// that wraps the promise's own (ErrOrdered, …) and names the entry; a Run says with which seed, where and how to repeat it.
package audit
