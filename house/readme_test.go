package house

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"image/png"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/session/core"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

var update = flag.Bool("update", false, "write the parts of pages that follow from the code")

// The first screen of the README shows two commands, and CI runs exactly these.
func TestReadmeCommandsRunInCI(t *testing.T) {
	screen := strings.Split(string(read(t, "README.md")), "\n")
	screen = screen[:min(len(screen), 40)]
	script := strings.Split(string(read(t, ".ci/run")), "\n")
	for _, command := range []string{"go run ./cmd/ringmaster demo", "go test ./..."} {
		if !slices.ContainsFunc(screen, func(l string) bool { return strings.HasPrefix(strings.TrimSpace(l), command) }) {
			t.Errorf("README.md: %q is not on the first screen", command)
		}
		if !slices.ContainsFunc(script, func(l string) bool { return strings.HasSuffix(strings.TrimSpace(l), " "+command) }) {
			t.Errorf(".ci/run does not run %q", command)
		}
	}
}

const (
	tableBegin = "<!-- status table, written by: go test -run TestStatusTable ./house -update -->\n"
	tableEnd   = "<!-- end of the status table -->\n"
)

// The status table of spec §6.3 is the one that the sessions run by.
func TestStatusTable(t *testing.T) {
	text := string(read(t, "protocol/spec.md"))
	before, rest, begins := strings.Cut(text, tableBegin)
	_, after, ends := strings.Cut(rest, tableEnd)
	if !begins || !ends {
		t.Fatalf("protocol/spec.md: no place for the status table, between %q and %q", tableBegin, tableEnd)
	}
	var b strings.Builder
	b.WriteString("| from | to | because |\n|---|---|---|\n")
	for _, r := range core.Table {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", states(r.From), states(r.To), r.Because)
	}
	want := before + tableBegin + b.String() + tableEnd + after
	if text == want {
		return
	}
	if !*update {
		t.Fatal("protocol/spec.md: the status table is not the one of actors/session; write it with -update")
	}
	if err := os.WriteFile("protocol/spec.md", []byte(want), 0o600); err != nil {
		t.Fatal(err)
	}
}

func states(list []protocol.State) string {
	words := make([]string, len(list))
	for i, s := range list {
		words[i] = "`" + string(s) + "`"
		if s == "" {
			words[i] = "(new)"
		}
	}
	return strings.Join(words, ", ")
}

// The README shows the pictures that the browser's lane makes, and the terminal's, which a test of the board draws and compares. They are
// not compared here: letters look otherwise on each machine.
func TestReadmePictures(t *testing.T) {
	var names []string
	if err := json.Unmarshal(read(t, "api/web/e2e/pictures.json"), &names); err != nil {
		t.Fatal(err)
	}
	const folder, most = "docs/pictures/", 150 << 10
	want := []string{folder + "terminal.svg"}
	for _, name := range names {
		file := folder + name + ".png"
		want = append(want, file)
		picture := read(t, file)
		if _, err := png.DecodeConfig(bytes.NewReader(picture)); err != nil {
			t.Errorf("%s: %v; tools/web.sh pictures makes it", file, err)
		}
		if len(picture) > most {
			t.Errorf("%s has %d bytes, more than %d", file, len(picture), most)
		}
	}
	var shown []string
	for _, m := range regexp.MustCompile(`!\[[^\]]+\]\(([^)]+)\)`).FindAllStringSubmatch(string(read(t, "README.md")), -1) {
		shown = append(shown, m[1])
	}
	slices.Sort(want)
	if slices.Sort(shown); !slices.Equal(shown, want) {
		t.Errorf("README.md shows %q, want %q, each with words for who does not see it", shown, want)
	}
}
