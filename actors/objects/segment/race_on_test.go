//go:build race

package segment_test

// raceEnabled: what runs in one goroutine, and takes the coder a second for each case under the race detector, is left to the run without it.
const raceEnabled = true
