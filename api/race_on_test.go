//go:build race

package api

// raceEnabled: what measures the time of much work is left out under the race detector.
const raceEnabled = true
