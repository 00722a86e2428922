// Package core decides about webhooks (spec §7.17): which session's log is looked at and from where, which notice is sent when, what follows from an
// answer, and what is written down. It is pure: a state, inputs, effects. Time, chance, the list of sessions, the logs and the network are inputs.
package core
