package scripted

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// What a session's start and its removal read does not grow with the number of sessions; a file of a build that kept all in one folder goes on.
func TestSessionFilesAreApart(t *testing.T) {
	f := Files{Dir: t.TempDir()}
	if err := os.WriteFile(filepath.Join(f.Dir, "2026-01-02T03-04-05-678Z_old.jsonl"), []byte("{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	const sessions = 2560
	for i := range sessions {
		_, sink, err := f.Open(fmt.Sprintf("s%d", i), time.Now())
		if err != nil {
			t.Fatal(err)
		}
		sink.Append([]byte("{}"))
	}
	whole, err := os.ReadDir(f.Dir)
	if err != nil || len(whole) > 257 {
		t.Errorf("%d names are in the folder that each start reads, %v", len(whole), err)
	}
	for _, e := range whole {
		if list, _ := os.ReadDir(filepath.Join(f.Dir, e.Name())); len(list) > 10*sessions/256 {
			t.Errorf("%d of %d sessions are in the folder of one", len(list), sessions)
		}
	}
	for _, id := range []string{"old", "s0", "s2559"} {
		lines, sink, err := f.Open(id, time.Now())
		if err != nil || len(lines) != 1 {
			t.Fatalf("session %s has %d lines, %v", id, len(lines), err)
		}
		if err := f.Remove(id); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(sink.Path()); !os.IsNotExist(err) {
			t.Errorf("session %s was removed, and its file: %v", id, err)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(f.Dir, "*", "*.jsonl")); len(left) != sessions-2 {
		t.Errorf("%d files are left, want %d", len(left), sessions-2)
	}
}
