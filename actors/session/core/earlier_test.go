package core

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// TestSavedByEarlierBuilds: snapshots stay beside logs as long as there are sessions, so what any build has saved is restored by this one. A file of testdata/saved
// is of one savedVersion, and has what the logs of package protocol tell at two thirds of their length; -update writes that of the newest.
// Proves: I15.2/snapshot
func TestSavedByEarlierBuilds(t *testing.T) {
	paths, err := filepath.Glob("../../../protocol/testdata/logs/*.ndjson")
	if err != nil || len(paths) < 10 {
		t.Fatal("no logs: ", err)
	}
	var now bytes.Buffer
	for _, path := range paths {
		log, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.SplitAfter(string(log), "\n")
		s := New("", testLimits())
		for _, line := range lines[:len(lines)*2/3] {
			if e, err := protocol.Decode([]byte(strings.TrimSpace(line))); err == nil {
				if p, is := e.Payload.(*protocol.SessionStart); is {
					s = New(p.SessionID, testLimits())
				}
				s.Replay(&e)
			}
		}
		if s.Seq() > 0 {
			now.Write(append(s.Save(), '\n'))
		}
	}
	newest := filepath.Join("testdata", "saved", fmt.Sprint(savedVersion, ".ndjson"))
	if *update {
		if err := os.WriteFile(newest, now.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	files, err := filepath.Glob("testdata/saved/*.ndjson")
	if err != nil || len(files) == 0 {
		t.Fatal("nothing was saved: ", err)
	}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if file == newest && !bytes.Equal(b, now.Bytes()) {
			t.Errorf("%s: this build saves other states under that version; raise savedVersion, and run -update", file)
		}
		for i, line := range bytes.Split(bytes.TrimSpace(b), []byte("\n")) {
			var was saved
			begin := ""
			if err := json.Unmarshal(line, &was); err != nil {
				t.Fatal(err)
			}
			if p, err := kept[*protocol.SessionStart](was.Begin); err == nil {
				begin = p.SessionID
			}
			s := New(begin, testLimits())
			if err := s.Restore(line); err != nil || s.Seq() != was.Seq {
				t.Errorf("%s, state %d: %v, at event %d", file, i, err, s.Seq())
			}
			if _, known := s.Epochs().Agree(1); (was.Epoch > 1 || len(was.Epochs) > 0) && known != (was.Version > noEpochs) {
				t.Errorf("%s, state %d: where the epochs of %v begin is known: %v", file, i, s.Epochs(), known)
			}
		}
	}
	if _, err := os.Stat(newest); err != nil {
		t.Errorf("run -update: %v", err)
	}
}
