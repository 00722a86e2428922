//go:build race

package recordings

// raceEnabled: converting is one goroutine's work, so fewer damages are tried under the race detector.
const raceEnabled = true
