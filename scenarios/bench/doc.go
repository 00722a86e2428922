// Package bench measures the built daemon as a process, from outside: agents that say lines at a pace or as fast as they are taken,
// readers over SSE, /log and MCP, the daemon's CPU seconds and memory from /proc, and beside each figure that of a reference program
// in the same run, so that what counts is a ratio: a bare net/http server that reads the same agents' pipes and sends their lines to
// the same readers from one shared log, several lines per write, and io.Copy of a file through net/http.
//
// The lane is tools/bench-system.sh; a plain go test runs none of it. Programs are the test binary under other names: "pi", an agent
// that speaks Pi's protocol and does what its prompt says (generator_test.go), and "reference" (reference_test.go).
package bench
