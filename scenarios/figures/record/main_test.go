package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/ringmaster-agents/ringmaster/scenarios/figures"
	"github.com/ringmaster-agents/ringmaster/scenarios/leaks"
)

func TestMain(m *testing.M) { leaks.Main(m) }

func TestRecord(t *testing.T) {
	dir := t.TempDir()
	t.Setenv(figures.Env, dir)
	if err := record([]string{"race", "task race", "runs=5:≥ 5", "reports=1:0:P31", "packages=40", "late=7 ms:≤ 5"}); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(filepath.Join(dir, "race.json"))
	if err != nil {
		t.Fatal(err)
	}
	var got figures.Lane
	if err := json.Unmarshal(b, &got); err != nil {
		t.Fatal(err)
	}
	want := []figures.Figure{
		{Name: "runs", Value: 5, Goal: "≥ 5"},
		{Name: "reports", Value: 1, Goal: "0", Promise: "P31", Missed: true},
		{Name: "packages", Value: 40},
		{Name: "late", Value: 7, Unit: "ms", Goal: "≤ 5", Missed: true},
	}
	if got.Name != "race" || got.Command != "task race" || !slices.Equal(got.Figures, want) {
		t.Errorf("got %+v", got)
	}
	for _, bad := range [][]string{nil, {"race", "task race"}, {"race", "task race", "runs"}, {"race", "task race", "runs=x"}, {"race", "task race", "runs=5:about 5"}} {
		if record(bad) == nil {
			t.Errorf("%q was taken", bad)
		}
	}
}
