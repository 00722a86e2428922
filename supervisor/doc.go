// Package supervisor is the tree above the sessions: registry and supervisor in one actor. It creates sessions, finds and
// lists them, starts and restarts their actors and agents with a capped backoff, boots from disk, passivates what is idle,
// recovers what a dead daemon left, and drains everything on shutdown.
package supervisor
