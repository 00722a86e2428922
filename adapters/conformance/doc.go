// Package conformance is the suite that every agent passes: its translator is fed with recordings of the real program, and
// the drafts are compared with what a plain reading of the recordings finds, and with the rules of the contract.
//
// For every recording:
//
//	facts        turns and how they ended, entries with their final content, requests, queue, usage, persistent ids
//	rules        the grammar of drafts, see Ledger
//	again        the same recording gives the same drafts; nothing of a line is kept
//	cuts         the recording breaks off after any line: what is said then still keeps the rules
//	damage       lines are lost and doubled at random: the rules hold
//	strangers    each line of an unknown type becomes one Native
//
// And over all recordings:
//
//	essentials   they show what every agent does: it gets ready, says something, calls a tool; turns complete, are interrupted, fail
//	claims       what the agent says it can (adapters.Capabilities) is shown by a recording, or done when a session asks for it;
//	             what a recording shows is claimed
package conformance
