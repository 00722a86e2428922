package board

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite the golden screens and the picture of the documents")

// The golden screens: every place where somebody may be, on a terminal of 80 columns and 24 rows without colour, on a large one, and with colours.
func TestScreens(t *testing.T) {
	const file = "testdata/screens.txtar"
	var out txtar.Archive
	for _, c := range append(append([]scene{}, scenes...), writing...) {
		s := newScene(t, c, 80, 24, Options{Cwd: "/src"})
		out.Files = append(out.Files, txtar.File{Name: c.name, Data: []byte(s.screen() + "\n")})
	}
	for _, c := range []scene{scenes[2], scenes[10]} {
		s := newScene(t, c, 140, 40, Options{Cwd: "/src"})
		out.Files = append(out.Files, txtar.File{Name: c.name + ", 140 columns", Data: []byte(strings.TrimRight(s.screen(), "\n") + "\n")})
	}
	for _, c := range []scene{scenes[2], scenes[7]} {
		s := newScene(t, c, 80, 24, Options{Cwd: "/src", Colour: true})
		s.screen()
		text := strings.ReplaceAll(strings.Join(s.board.View().Lines, "\n"), "\x1b", "␛")
		out.Files = append(out.Files, txtar.File{Name: c.name + ", coloured", Data: []byte(text + "\n")})
	}
	if *update {
		if err := os.MkdirAll("testdata", 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, txtar.Format(&out), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if len(want.Files) != len(out.Files) {
		t.Fatalf("%d screens, want %d", len(out.Files), len(want.Files))
	}
	for i, f := range out.Files {
		if w := want.Files[i]; w.Name != f.Name || string(w.Data) != string(f.Data) {
			t.Errorf("%s:\n%s\nwant %s:\n%s", f.Name, f.Data, w.Name, w.Data)
		}
	}
}

// named are the keys that have names.
var named = strings.Fields("up down left right home end pgup pgdown enter esc tab shift+tab backspace delete insert ctrl+space alt+enter")

// told are the keys that the help tells.
func told(t *testing.T) map[string]bool {
	names := map[string]string{
		"↑": "up", "↓": "down", "PgUp": "pgup", "PgDn": "pgdown", "Home": "home", "End": "end", "Space": " ", "Enter": "enter", "Tab": "tab", "Esc": "esc",
	}
	list := map[string]bool{}
	for _, row := range keyList {
		for _, word := range strings.Fields(row[0]) {
			ctrl, is := strings.CutPrefix(word, "Ctrl-")
			switch {
			case is:
				list["ctrl+"+strings.ToLower(ctrl)] = true
			case word == "1-9":
				for n := 1; n <= 9; n++ {
					list[fmt.Sprint(n)] = true
				}
			case names[word] != "":
				list[names[word]] = true
			case len(word) == 1:
				list[word] = true
			default:
				t.Fatalf("nobody knows the key %q", word)
			}
		}
	}
	return list
}

// The help tells all keys and no others: in each place every key that does anything is in it, and each key that is in it does something somewhere.
func TestHelpIsTrue(t *testing.T) {
	list := told(t)
	var all []string
	for c := byte(' '); c < 0x7f; c++ {
		all = append(all, string(c))
	}
	for _, name := range named {
		all = append(all, "<"+name+">")
	}
	for c := 'a'; c <= 'z'; c++ {
		if c != 'i' && c != 'm' && c != 'h' { // tab, enter, backspace
			all = append(all, "<ctrl+"+string(c)+">")
		}
	}
	does := map[string]bool{}
	try := func(c scene, key string) bool {
		s := newScene(t, c, 80, 24, Options{Cwd: "/src"})
		before := fmt.Sprint(s.board.View())
		s.wishes = nil
		s.burst(key)
		return len(s.wishes) > 0 || fmt.Sprint(s.board.View()) != before
	}
	for _, c := range scenes {
		for _, key := range all {
			if !try(c, key) {
				continue
			}
			name := strings.TrimSuffix(strings.TrimPrefix(key, "<"), ">")
			if key == "<" || key == ">" {
				name = key
			}
			does[name] = true
			if !list[name] {
				t.Errorf("%s: %s does something, and the help does not tell it", c.name, key)
			}
		}
	}
	for _, key := range []string{"<tab>", "<ctrl+j>", "<ctrl+o>"} { // in a prompt
		if try(scene{"a prompt", func(s *stage) { s.opened("release", 5); s.press("p", "x") }}, key) {
			does[strings.Trim(key, "<>")] = true
		}
	}
	for key := range list {
		if !does[key] {
			t.Errorf("the help tells %q, which does nothing anywhere", key)
		}
	}
}

// On a screen that is too low for the help the rest of it comes with PgDn; what leads back answers nothing.
func TestHelpIsReadAsAWhole(t *testing.T) {
	s := newStage(t, 80, 10, Options{})
	s.ten()
	s.press(" ", "?")
	s.sees("choose; in a session", "PgDn and PgUp show more")
	s.misses("until the shell's fg")
	s.press("<pgdown>", "<pgdown>", "<pgdown>")
	s.sees("until the shell's fg", "this help")
	s.press("<up>", "<pgup>", "<pgup>", "<pgup>")
	s.sees("choose; in a session")
	s.press("y")
	s.sees("y allow once")
}
