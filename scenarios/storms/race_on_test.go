//go:build race

package storms

const raceEnabled = true
