// Package session is one session: an actor that runs a pure core (package core decides: state and input to events and effects), writes and
// publishes the events, and carries out the effects. Policies, which answer an agent's requests automatically, are package policy. Other packages
// import this one alone: inputs go to an actor by Say and Ask, and the core's types have the same names here.
//
// Invariants, asserted by the tests and by scenarios:
//
//	I1  seq grows by one per event; the first event is seq 1, session_start.
//	I2  time never decreases.
//	I3  nothing is shown, confirmed, answered or sent to the agent before the journal has taken the events it rests on.
//	I4  an entry starts once and ends once; its deltas come between.
//	I5  an entry belongs to the turn that was open when it started, or to none.
//	I6  a turn and a request end exactly once; nothing follows session_end but a new incarnation.
//	I7  the ring is the journal's tail, byte for byte.
//	I8  the state derived from the facts equals the last status event after every step.
//	I9  a batch of an adapter becomes events once: confirmed batches and the adapter's window are all there is.
//	I10 a sub-agent's request is decided by its own session alone; the root's log shows it, opened once and resolved once.
//
// Sessions of a family speak by messages alone and never wait for one another: a message that is lost with an actor is asked for again (TellRoot).
package session
