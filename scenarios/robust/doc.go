// Package robust is the kill harness: the built daemon, ended with SIGKILL at random moments and at every fault point
// (actors/failpoint), while clients outside write down what they are told. Afterwards the log must have all of it, once, under
// the same numbers and with the same bytes, whichever way it is read; no process of an agent outlives the daemon's successor;
// and what SIGTERM ends, ends in time and in order. Package audit holds the promises.
//
// tools/robust.sh runs it; without the variables that it sets every test is skipped:
//
//	RINGMASTER_ROBUST           kills at each fault point, and at random moments: "50 1000"
//	RINGMASTER_ROBUST_SEED      repeats the kills of an earlier run, as far as the machine's own timing lets it
//	RINGMASTER_ROBUST_POINT     the only fault point, by the beginning of its name
//	RINGMASTER_ROBUST_ARENAS    daemons at work side by side
//	RINGMASTER_ROBUST_RESTARTS  kills of a daemon with 1,000 sessions
//	RINGMASTER_ROBUST_STOPS     ends by SIGTERM under load
package robust
