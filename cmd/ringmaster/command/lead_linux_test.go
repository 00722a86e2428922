package command

import (
	"bytes"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/exit"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/tty/ttytest"
)

// pictureFile writes a picture.
func pictureFile(t *testing.T) (path string, data []byte) {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 20, 20))); err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(t.TempDir(), "shot.png")
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path, b.Bytes()
}

// A person leads a session by keys, with a real daemon: its queue, model, policy and pictures, and looks for a text in it.
//
// Proves: I14.3/lead
func TestTopLeadsASession(t *testing.T) {
	b := newBench(t).daemon()
	here := t.TempDir()
	t.Chdir(here)
	shot, data := pictureFile(t)
	b.run([]string{"new", "--agent", "scripted", "--cwd", b.root, "--title", "one", "--prompt", script(`[{"usage": {"input": 1000000, "output": 100000}}, {"say": {"text": "A needle in the hay."}}]`)}).want(t, exit.OK)
	for _, text := range []string{script(`[{"say": {"text": "I begin."}}, {"stall": {}}]`), "first", "second", "third"} {
		b.run([]string{"send", "@last", text}).want(t, exit.OK)
	}
	p := ttytest.Sit(t, 80, 24)
	ended := b.at(p, "top")
	p.Sees("one", "today")
	p.Press("\r")
	p.Sees("A needle in the hay.", "I begin.")
	p.Press("w")
	p.Sees("1  first", "2  second", "3  third")
	p.Press("j", "j", "K")
	p.Sees("1  first", "2  third", "3  second", "Moved.")
	p.Press("x")
	p.Sees("Press x again")
	p.Press("x")
	p.Sees("Taken out")
	p.Until("has two prompts", func(s *ttytest.Screen) bool { return !strings.Contains(s.Text(), "third") })
	b.run([]string{"prompts", "@last"}).want(t, exit.OK, "first", "second")
	p.Press("\x1b")
	p.Sees("responding")
	p.Press("M")
	p.Sees("in force")
	p.Press("G", "\r")
	p.Sees("The model is")
	p.Press("\x1b")
	p.Sees("responding")
	p.Press("P")
	p.Sees("ask: asks about everything", "in force")
	p.Press("j", "\r")
	p.Sees("The policy is allow_reads")
	b.run([]string{"policy", "@last"}).want(t, exit.OK, "allow_reads")
	p.Press("\x1b")
	p.Sees("responding")
	p.Press("p")
	p.Sees("prompt ›")
	p.Paste(shot)
	p.Sees("1 picture", "With it:")
	p.Press("l", "o", "o", "k", "\r")
	p.Sees("3 queued", "Sent.")
	p.Press("i")
	p.Sees("prompt: look", " bytes")
	p.Press("\r")
	p.Sees("It is in " + here[:4])
	files, err := filepath.Glob(filepath.Join(here, "ringmaster-*.png"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%v, %v", files, err)
	}
	if got, err := os.ReadFile(files[0]); err != nil || !bytes.Equal(got, data) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	p.Press("\x1b")
	p.Sees("responding")
	p.Press("/", "n", "e", "e", "d", "l", "e", "\r")
	p.Sees("▸ A needle in the hay.", "“needle” 1 of")
	p.Press("x", "q") // one x alone stops nothing
	if code := receive(b, ended, "the end of top"); code != exit.OK {
		t.Errorf("exit code %d", code)
	}
}

// The same by lines, for who has the screen read to them.
func TestPlainLeadsASession(t *testing.T) {
	b := newBench(t).daemon()
	t.Chdir(t.TempDir())
	shot, _ := pictureFile(t)
	b.run([]string{"new", "--agent", "scripted", "--cwd", b.root, "--title", "one", "--prompt", script(`[{"say": {"text": "A needle in the hay."}}, {"stall": {}}]`)}).want(t, exit.OK)
	b.run([]string{"send", "@last", "first"}).want(t, exit.OK)
	b.run([]string{"send", "@last", "second"}).want(t, exit.OK)
	p := ttytest.Sit(t, 120, 60)
	ended := b.at(p, "top", "--plain")
	for _, turn := range [][2]string{
		{"", "1. working: one"},
		{"1", "A needle in the hay."},
		{"w", "2. second"},
		{"2 up", "1. second"},
		{"b", "Back in the session"},
		{"policy", "4. deny_all"},
		{"4", "The policy is deny_all"},
		{"b", "Back in the session"},
		{"+ " + shot, "It goes with the next prompt"},
		{"p look", "Sent."},
		{"i", "1. PNG"},
		{"1", "It is in "},
		{"b", "Back in the session"},
		{"/ needle", "One line has it"},
	} {
		if turn[0] != "" {
			p.Press(turn[0] + "\r")
		}
		p.Sees(turn[1])
	}
	p.Press("q\r")
	if code := receive(b, ended, "the end of top"); code != exit.OK {
		t.Errorf("exit code %d", code)
	}
}
