//go:build race

package supervisor_test

// raceEnabled: the tests of every byte and bit, which run in one goroutine, take samples under the race detector.
const raceEnabled = true
