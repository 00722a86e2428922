// Package failpoint names the instants at which the kill harness (scenarios/robust) ends the daemon: between two changes of
// a file, between a write and the news of it, in the middle of an answer. A build without the tag failpoint has nothing of
// it: the functions are empty, and the compiler takes their calls away.
//
// With the tag, these variables of the environment count:
//
//	RINGMASTER_FAILPOINT        POINT#N@WAIT: whoever comes to POINT for the N-th time stands there for WAIT, while the rest of the
//	                            process goes on with what it was told too early, and then the process kills itself. With POINT#+N@WAIT
//	                            hits count from when somebody sets the word behind the counters
//	RINGMASTER_FAILPOINT_HITS   a file in which the process counts how often it comes to each point, in the order of Points,
//	                            8 bytes each in the machine's order, and one word more; it outlives the process
//	RINGMASTER_FAILPOINT_SIZES  NAME=BYTES,…: limits that would take too much load to be reached
package failpoint
