// Package storms lets weather loose on the built daemon, as a process of its own, and looks at it from outside only: what it
// answers, and what /proc and /metrics say that it uses. Thousands of readers that come and go, readers that do not read,
// connections that trickle, agents that flood, crash and speak without end, hostile input, a full disk, no descriptors left:
// nothing is lost or doubled, whoever is not to blame is served as before, and afterwards everything is back where it was.
//
// `go test` blows for some seconds; RINGMASTER_STORMS=3m, as `task storms` sets it, makes the storm of reconnects last so long
// and everything else as large as the promises say (P15 to P19, T11 to T15).
package storms
