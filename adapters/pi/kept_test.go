package pi

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const kept = `{"type":"session","version":3,"id":"55deaf9c-4c24","cwd":"/CWD"}
{"type":"model_change","id":"98ad2ed2","provider":"fake","modelId":"fake-1"}
{"type":"message","id":"06f248bb","message":{"role":"user","content":[{"type":"text","text":"Say hello."}]}}
`

func TestNativeSessions(t *testing.T) {
	home := t.TempDir()
	for name, cwd := range map[string]string{"a": "/work", "b": "/work/below"} {
		path := filepath.Join(home, filepath.FromSlash("sessions/--x--/2026_"+name+".jsonl"))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(strings.ReplaceAll(kept, "/CWD", cwd)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	list, err := Agent{}.NativeSessions(t.Context(), []string{"PI_CODING_AGENT_DIR=" + home}, "/work")
	if err != nil || len(list) != 1 || list[0].ID != "55deaf9c-4c24" || list[0].Cwd != "/work" || list[0].Title != "Say hello." {
		t.Errorf("%+v, %v", list, err)
	}
	if list, err := (Agent{}).NativeSessions(t.Context(), []string{"PI_CODING_AGENT_DIR=" + t.TempDir()}, "/work"); err != nil || len(list) != 0 {
		t.Errorf("where nothing is kept: %+v, %v", list, err)
	}
}
