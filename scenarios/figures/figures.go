// Package figures is how a lane that proves a promise tells what it counted and measured. `task report` runs the lanes, gathers
// what they wrote and makes the tables of SECURITY.md and README of it, so that every figure there has a command that makes it.
package figures

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"
)

// Env names the folder that lanes write to; where it is not set, they write nothing.
const Env = "RINGMASTER_FIGURES"

// Lane is what one run of a lane found.
type Lane struct {
	Name    string    `json:"lane"`    // lower case, a file name: "kills"
	Command string    `json:"command"` // that repeats it: "task robust"
	Time    time.Time `json:"time"`    // of the end of the run
	Machine Machine   `json:"machine"`
	Figures []Figure  `json:"figures"`
}

// Machine is the kind of machine that a lane ran on.
type Machine struct {
	OS   string `json:"os"`
	Arch string `json:"arch"`
	CPUs int    `json:"cpus"`
}

// Figure is one count or measurement.
type Figure struct {
	Name    string  `json:"name"` // "lost", "recovery p99"
	Value   float64 `json:"value"`
	Unit    string  `json:"unit,omitempty"`    // "ms", "MB/s", "×" for a ratio; empty: a count
	Promise string  `json:"promise,omitempty"` // that it proves: "P6"
	Goal    string  `json:"goal,omitempty"`    // that it is held against: "0", "≤ 1000"
	Missed  bool    `json:"missed,omitempty"`  // the goal
}

// Here describes this machine.
func Here() Machine { return Machine{OS: runtime.GOOS, Arch: runtime.GOARCH, CPUs: runtime.NumCPU()} }

// Record writes what a lane found to the folder that Env names, in place of what an earlier run of it wrote.
func Record(lane, command string, list ...Figure) error {
	dir := os.Getenv(Env)
	if dir == "" {
		return nil
	}
	b, err := json.MarshalIndent(Lane{lane, command, time.Now().UTC().Truncate(time.Second), Here(), list}, "", "  ")
	if err != nil {
		return fmt.Errorf("figures of %s: %w", lane, err)
	}
	if err := os.MkdirAll(dir, 0o750); err != nil { //nolint:gosec // who runs the lane names the folder
		return fmt.Errorf("figures of %s: %w", lane, err)
	}
	if err := os.WriteFile(filepath.Join(dir, lane+".json"), append(b, '\n'), 0o600); err != nil { //nolint:gosec // likewise
		return fmt.Errorf("figures of %s: %w", lane, err)
	}
	return nil
}
