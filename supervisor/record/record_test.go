package record

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/disk"
	"github.com/ringmaster-agents/ringmaster/actors/store"
)

// first is a session.json as the first builds wrote it, with all that it may have.
const first = `{"version":1,"summary":{"ID":"s1","Agent":"pi","Cwd":"/work","Title":"t","FirstPrompt":"hello","Model":"m","AskedModel":"a","Mode":"plan",` +
	`"Labels":{"k":"v"},"NativeSessionID":"n1","AgentVersion":"1.2","ParentSessionID":"p1","Owner":"ann","Via":"mcp","Created":"2026-01-02T03:04:05Z",` +
	`"Updated":"2026-01-02T03:04:06Z","Epoch":2,"Seq":17,"Status":{"state":"idle","agentStatus":"idle"},"SubAgent":true,"Spawned":true,"MCP":true,` +
	`"Policy":{"rules":[{"tool":"bash","pattern":"ls*","action":"allow"}]},"PendingModel":"pm","PendingMode":"po","Turns":3,"EndError":"e","EndHint":"h","ReadOnly":true},` +
	`"open":true,"boot":"b1","durability":"always","incarnation":4,"synced":16,"untold":true,"endpoint":{"url":"unix:///run/a.sock","username":"u","password":"w"}}` + "\n"

// TestForm: what is written of a file that was read is that file, byte for byte.
func TestForm(t *testing.T) {
	path := filepath.Join(t.TempDir(), "session.json")
	if err := os.WriteFile(path, []byte(first), 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := Read(disk.OS(), path)
	if err != nil {
		t.Fatal(err)
	}
	if r.Summary.Seq != 17 || r.Summary.PendingMode != "po" || r.Endpoint.Password != "w" || r.Durability != "always" {
		t.Errorf("%+v", r)
	}
	if err := r.write(disk.OS(), path, true); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != first {
		t.Errorf("%v\n%s\n%s", err, got, first)
	}
}

// TestLastTurnIsKept: a list tells how a session's newest turn ended also after a start of the daemon, when nobody has opened that session.
func TestLastTurnIsKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "session.json")
	text := strings.Replace(first, `"EndError"`, `"LastTurn":{"turnId":"t3","status":"error","cause":"agent","error":"quota","hint":"pay"},"EndError"`, 1)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := Read(disk.OS(), path)
	if err != nil || !r.Summary.LastTurn.Failed() {
		t.Fatalf("%v %+v", err, r.Summary.LastTurn)
	}
	if err := r.write(disk.OS(), path, true); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != text {
		t.Errorf("%v\n%s\n%s", err, got, text)
	}
}

// TestArrive: the record of a session that comes says what it brings: what it has used itself, wherever that was, and what removed sessions below it had. A
// build that knew neither has told nothing of those.
func TestArrive(t *testing.T) {
	spent := `"Spent":{"totalTokens":7,"inputTokens":7,"cachedInputTokens":0,"outputTokens":0,"costMicros":0,"turns":1,"toolCalls":0,"children":2,"workMs":5,"workingSince":9},"EndError"`
	text := strings.Replace(first, `"EndError"`, spent, 1)
	for _, row := range []struct{ text, came string }{
		{text, `"came":{"before":{"tokens":7,"workMs":5,"turns":1,"children":2}}}`},
		{
			strings.Replace(text, "}}\n", `},"came":{"before":{"tokens":3},"past":{"tokens":1}},"past":{"tokens":4}}`, 1),
			`"came":{"before":{"tokens":7,"workMs":5,"turns":1,"children":2},"past":{"tokens":4}},"past":{"tokens":4}}`,
		},
	} {
		r, err := Parse([]byte(row.text), "a test")
		if err != nil {
			t.Fatal(err)
		}
		r.Arrive()
		if got, err := json.Marshal(r); err != nil || !strings.HasSuffix(string(got), row.came) || strings.Contains(string(got), "workingSince") {
			t.Errorf("%v\n%s\nwant at its end %s", err, got, row.came)
		}
	}
}

// TestVersions: of a newer build's file nothing is believed, and one without a version is none.
func TestVersions(t *testing.T) {
	path := filepath.Join(t.TempDir(), "session.json")
	for text, newer := range map[string]bool{`{"version":2,"summary":7}`: true, `{"summary":{}}`: false, `{"version":1`: false} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Read(disk.OS(), path)
		if _, is := errors.AsType[*store.VersionError](err); err == nil || is != newer || Unread(err) != newer {
			t.Errorf("%s: %v", text, err)
		}
	}
}
