package droid

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const kept = `{"type":"session_start","id":"3a3b4099","title":"Side request","cwd":"/CWD"}
{"type":"message","id":"c","message":{"role":"user","content":[{"type":"text","text":"Say hello."}]}}
`

func TestNativeSessions(t *testing.T) {
	home := t.TempDir()
	for name, cwd := range map[string]string{"a": "/work", "b": "/work/below"} {
		path := filepath.Join(home, filepath.FromSlash(".factory/sessions/-x/"+name+".jsonl"))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(strings.ReplaceAll(kept, "/CWD", cwd)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	list, err := Agent{}.NativeSessions(t.Context(), []string{"HOME=" + home}, "/work")
	if err != nil || len(list) != 1 || list[0].ID != "3a3b4099" || list[0].Cwd != "/work" || list[0].Title != "Side request" {
		t.Errorf("%+v, %v", list, err)
	}
	if list, err := (Agent{}).NativeSessions(t.Context(), []string{"HOME=" + t.TempDir()}, "/work"); err != nil || len(list) != 0 {
		t.Errorf("where nothing is kept: %+v, %v", list, err)
	}
}
