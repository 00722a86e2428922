package recordings

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	_ "github.com/ringmaster-agents/ringmaster/adapters/conformance" // has the flag -update
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/conversion"
)

func updating(t *testing.T) bool {
	t.Helper()
	f := flag.Lookup("update")
	if f == nil {
		t.Fatal("no flag -update")
	}
	return f.Value.String() == "true"
}

// TestGolden compares some logs with testdata, byte by byte. The same input gives the same bytes: each is converted twice.
// Proves: 002.5.4
func TestGolden(t *testing.T) {
	files := recordings(t)
	for _, name := range []string{
		"text_short", "tool_bash", "approval_allow", "question", "steer", "steer_then_abort", "provider_disconnect", "sigkill_mid_tool",
		"session_ops",
	} {
		t.Run(name, func(t *testing.T) {
			var out, again bytes.Buffer
			for _, w := range []*bytes.Buffer{&out, &again} {
				if _, err := conversion.Convert(w, bytes.NewReader(files[name]), options); err != nil {
					t.Fatal(err)
				}
			}
			if !bytes.Equal(out.Bytes(), again.Bytes()) {
				t.Fatal("the second time it is another log")
			}
			golden := filepath.Join("testdata", name+".ndjson")
			if updating(t) {
				if err := os.WriteFile(golden, out.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			gotLines, wantLines := bytes.Split(out.Bytes(), []byte("\n")), bytes.Split(want, []byte("\n"))
			for i := range max(len(gotLines), len(wantLines)) {
				switch {
				case i >= len(gotLines):
					t.Fatalf("%s:%d: missing: %s", golden, i+1, wantLines[i])
				case i >= len(wantLines):
					t.Fatalf("%s:%d: one too many: %s", golden, i+1, gotLines[i])
				case !bytes.Equal(gotLines[i], wantLines[i]):
					t.Fatalf("%s:%d:\ngot  %s\nwant %s", golden, i+1, gotLines[i], wantLines[i])
				}
			}
		})
	}
}
