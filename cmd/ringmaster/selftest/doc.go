// Package selftest checks the promises on the operator's own machine and disk. It runs this very program as a daemon of its own, with
// scripted agents, ends it with SIGKILL again and again while readers outside write down what they are shown, and then holds
// what they saw against the logs (protocol/audit). It also measures what a sync costs and how long an event takes to a reader.
package selftest
