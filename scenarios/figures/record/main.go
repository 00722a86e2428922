// Command record writes the figures of a lane that is a script, as package figures has those of the lanes that are tests.
//
//	record LANE COMMAND NAME=VALUE[ UNIT][:GOAL[:PROMISE]]…
//
// A goal is "0", "≤ 5" or "≥ 5"; where RINGMASTER_FIGURES is not set, nothing is written.
package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/ringmaster-agents/ringmaster/scenarios/figures"
)

func main() {
	if err := record(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "record:", err)
		os.Exit(1)
	}
}

func record(args []string) error {
	if len(args) < 3 {
		return fmt.Errorf("want LANE COMMAND NAME=VALUE[ UNIT][:GOAL[:PROMISE]]…, not %q", args)
	}
	var list []figures.Figure
	for _, arg := range args[2:] {
		f, err := parse(arg)
		if err != nil {
			return err
		}
		list = append(list, f)
	}
	return figures.Record(args[0], args[1], list...)
}

func parse(arg string) (figures.Figure, error) {
	name, rest, ok := strings.Cut(arg, "=")
	text, rest, _ := strings.Cut(rest, ":")
	goal, promise, _ := strings.Cut(rest, ":")
	text, unit, _ := strings.Cut(text, " ")
	value, err := strconv.ParseFloat(text, 64)
	if !ok || err != nil {
		return figures.Figure{}, fmt.Errorf("want NAME=VALUE[ UNIT][:GOAL[:PROMISE]], not %q", arg)
	}
	f := figures.Figure{Name: name, Value: value, Unit: unit, Goal: goal, Promise: promise}
	if goal != "" {
		f.Missed, err = missed(value, goal)
	}
	return f, err
}

func missed(value float64, goal string) (bool, error) {
	sign, text, ok := strings.Cut(goal, " ")
	if !ok {
		sign, text = "", goal
	}
	limit, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return false, fmt.Errorf("want a goal like 0, ≤ 5 or ≥ 5, not %q", goal)
	}
	switch sign {
	case "":
		return value != limit, nil
	case "≤":
		return value > limit, nil
	case "≥":
		return value < limit, nil
	}
	return false, fmt.Errorf("want a goal like 0, ≤ 5 or ≥ 5, not %q", goal)
}
