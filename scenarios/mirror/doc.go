// Package mirror kills a daemon and a program that mirrors it with api/client, again and again, while sessions are at work. The cache is always a beginning
// of the logs, a state in it is what follows from its lines, no reader of the mirror gets a line twice or misses one, and in the end lines and states are
// the daemon's.
//
// RINGMASTER_MIRROR_KILLS says how many kills; `task sync` makes 1,000.
package mirror
