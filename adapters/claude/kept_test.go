package claude

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

const transcript = `{"type":"queue-operation","operation":"enqueue","sessionId":"3ca2d9c7"}
{"isSidechain":false,"type":"user","message":{"role":"user","content":"<command-name>/model</command-name>"},"uuid":"u0","cwd":"/work"}
{"isSidechain":false,"type":"user","message":{"role":"user","content":"Why does\nit fail?"},"uuid":"u1","cwd":"/work"}
{"isSidechain":false,"type":"attachment","attachment":{"type":"model"},"uuid":"a0","cwd":"/work"}
{"isSidechain":false,"type":"assistant","message":{"id":"m1","role":"assistant","content":[{"type":"thinking","thinking":"hm"}]},"uuid":"a1","cwd":"/work"}
{"isSidechain":false,"type":"assistant","message":{"id":"m1","role":"assistant","content":[{"type":"text","text":"I look."}]},"uuid":"a2","cwd":"/work"}
{"isSidechain":false,"type":"assistant","message":{"id":"m1","role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"ls"}}]},"uuid":"a3","cwd":"/work"}
{"isSidechain":true,"type":"assistant","message":{"id":"m9","role":"assistant","content":[{"type":"text","text":"a sub-agent's"}]},"uuid":"s1","cwd":"/work"}
{"isSidechain":false,"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"notes.txt"}]},"toolUseResult":{"stdout":"notes.txt"},"uuid":"u2","cwd":"/work"}
{"isSidechain":false,"type":"assistant","message":{"id":"m2","role":"assistant","content":[{"type":"tool_use","id":"t2","name":"Bash","input":{"command":"sleep 9"}}]},"uuid":"a4","cwd":"/work"}
not JSON
`

// keep writes transcripts of Claude Code below a home, one per session, and gives the environment.
func keep(t *testing.T, folder string, files map[string]string) (env []string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "projects", folder)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return []string{"CLAUDE_CONFIG_DIR=" + filepath.Dir(filepath.Dir(dir))}
}

func TestNativeSessions(t *testing.T) {
	env := keep(t, "-work", map[string]string{
		"3ca2d9c7.jsonl": transcript,
		"other.jsonl":    strings.ReplaceAll(transcript, `"/work"`, `"/work."`), // the same folder's name, another folder
		"empty.jsonl":    "",
	})
	outside := filepath.Join(t.TempDir(), "x")
	if err := os.WriteFile(outside, []byte(transcript), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(transcripts(env, "/work"), "link.jsonl")); err != nil {
		t.Fatal(err)
	}
	list, err := Agent{}.NativeSessions(t.Context(), env, "/work")
	if err != nil || len(list) != 1 || list[0].ID != "3ca2d9c7" || list[0].Cwd != "/work" || list[0].Title != "Why does it fail?" || list[0].Updated.IsZero() {
		t.Errorf("%+v, %v", list, err)
	}
	if list, err := (Agent{}).NativeSessions(t.Context(), env, "/elsewhere"); err != nil || len(list) != 0 {
		t.Errorf("of another folder: %+v, %v", list, err)
	}
}

// TestPastLeavesBranchesOut: what a user has gone back from is in the file, and not in the conversation that goes on; several calls at one time
// are no branches.
func TestPastLeavesBranchesOut(t *testing.T) {
	line := func(kind, uuid, parent, content string) string {
		return `{"type":"` + kind + `","message":{"role":"` + kind + `","content":` + content + `},"uuid":"` + uuid + `","parentUuid":"` + parent + `","cwd":"/work"}` + "\n"
	}
	text := func(t string) string { return `[{"type":"text","text":"` + t + `"}]` }
	call := func(id string) string {
		return `[{"type":"tool_use","id":"` + id + `","name":"Bash","input":{"command":"ls"}}]`
	}
	result := func(id string) string { return `[{"type":"tool_result","tool_use_id":"` + id + `","content":"x"}]` }
	file := line("user", "u1", "", text("first")) + line("assistant", "a1", "u1", text("one")) +
		line("assistant", "a2", "a1", call("t1")) + line("assistant", "a3", "a2", call("t2")) +
		line("user", "r1", "a2", result("t1")) + line("user", "r2", "a3", result("t2")) + line("assistant", "a4", "r2", text("two")) +
		line("attachment", "x1", "a4", `""`) +
		line("user", "u2", "x1", text("wrong way")) + line("assistant", "a5", "u2", text("into the woods")) +
		line("attachment", "x2", "a4", `""`) + line("user", "u3", "x2", text("right way")) + line("assistant", "a6", "u3", text("home"))
	env := keep(t, "-work", map[string]string{"s.jsonl": file})
	lines, err := Agent{}.Past(t.Context(), adapters.Spec{NativeSessionID: "s", Cwd: "/work", Env: env})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, l := range lines {
		var s stored
		if err := json.Unmarshal(l, &s); err != nil {
			t.Fatal(err)
		}
		got = append(got, s.UUID)
	}
	if want := "u1 a1 a2 a3 r1 r2 a4 u3 a6"; strings.Join(got, " ") != want {
		t.Errorf("%v, want %s", got, want)
	}
}
