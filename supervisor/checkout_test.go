package supervisor_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// TestCheckout: a session says what was checked out in its folder when it was made, and so does its sub-agent of the time of its own birth.
// Proves: 002.4.1/checkout
func TestCheckout(t *testing.T) {
	commits := []string{strings.Repeat("1a", 20), strings.Repeat("2b", 20)}
	family(t, nil, func(d *daemon, _ *servers) {
		repository := filepath.Join(d.root, "shop")
		below := filepath.Join(repository, "src")
		for _, dir := range []string{below, filepath.Join(repository, ".git", "refs", "heads")} {
			if err := os.MkdirAll(dir, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		check := func(branch, commit string) {
			for name, text := range map[string]string{"HEAD": "ref: refs/heads/" + branch + "\n", "refs/heads/" + branch: commit + "\n"} {
				if err := os.WriteFile(filepath.Join(repository, ".git", name), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		}
		born := func(id, branch, commit string) {
			t.Helper()
			line, _, _ := strings.Cut(d.file(id), "\n")
			var start protocol.SessionStart
			if err := json.Unmarshal([]byte(line), &start); err != nil || start.Metadata.GitBranch != branch || start.Metadata.GitCommit != commit {
				t.Errorf("born as %s, %v: want %q, %q", line, err, branch, commit)
			}
		}
		check("main", commits[0])
		s, err := d.Create(d.t.Context(), supervisor.NewSession{Agent: "hub", Cwd: below})
		if err != nil {
			t.Fatal(err)
		}
		born(s.ID, "main", commits[0])
		check("topic", commits[1])
		d.until(s.ID, d.prompt(s.ID, "spawn:kid count the leaves").Cursor.Seq, protocol.TypeTurnEnd)
		synctest.Wait()
		born(childOf(s.ID, "kid"), "topic", commits[1])
		plain, err := d.Create(d.t.Context(), supervisor.NewSession{Agent: "hub", Cwd: d.root})
		if err != nil {
			t.Fatal(err)
		}
		born(plain.ID, "", "")
	})
}
