package codex

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const kept = `{"ordinal":0,"type":"session_meta","payload":{"id":"01a2041f-0e48","cwd":"/CWD","source":"vscode"}}
{"ordinal":1,"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"<environment_context>"}]}}
{"ordinal":2,"type":"event_msg","payload":{"type":"item_completed","item":{"type":"UserMessage","id":"i","content":[{"type":"text","text":"Say hello."}]}}}
`

func TestNativeSessions(t *testing.T) {
	home := t.TempDir()
	for name, cwd := range map[string]string{"a": "/work", "b": "/work/below"} {
		path := filepath.Join(home, filepath.FromSlash("sessions/2026/11/22/rollout-"+name+".jsonl"))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(strings.ReplaceAll(kept, "/CWD", cwd)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	list, err := Agent{}.NativeSessions(t.Context(), []string{"CODEX_HOME=" + home}, "/work")
	if err != nil || len(list) != 1 || list[0].ID != "01a2041f-0e48" || list[0].Cwd != "/work" || list[0].Title != "Say hello." {
		t.Errorf("%+v, %v", list, err)
	}
	if list, err := (Agent{}).NativeSessions(t.Context(), []string{"CODEX_HOME=" + t.TempDir()}, "/work"); err != nil || len(list) != 0 {
		t.Errorf("where nothing is kept: %+v, %v", list, err)
	}
}
