package keys

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestDecoder(t *testing.T) {
	for _, c := range []struct {
		in   string
		want []Key
	}{
		{"y", []Key{{Text: "y"}}},
		{"ä中🙂", []Key{{Text: "ä"}, {Text: "中"}, {Text: "🙂"}}},
		{"\x1b[A\x1b[B\x1bOC\x1b[D", []Key{{Name: "up"}, {Name: "down"}, {Name: "right"}, {Name: "left"}}},
		{"\x1b[5~\x1b[6~\x1b[H\x1b[4~\x1b[3~\x1b[Z", []Key{{Name: "pgup"}, {Name: "pgdown"}, {Name: "home"}, {Name: "end"}, {Name: "delete"}, {Name: "shift+tab"}}},
		{"\x1b[1;5A", []Key{{Name: "up"}}},
		{"\r\n\t\x7f\x03", []Key{{Name: "enter"}, {Name: "ctrl+j"}, {Name: "tab"}, {Name: "backspace"}, {Name: "ctrl+c"}}},
		{"\x1by", []Key{{Name: "alt+y"}}}, // no answer
		{"\x1b\x1b[A", []Key{{Name: "esc"}, {Name: "up"}}},
		{"\x1b[200~y\nn\x1b[A\x1b[201~n", []Key{{Name: Paste, Text: "y\nn\x1b[A"}, {Text: "n"}}},
		{"\x1b[?1;2c\x1b[<0;1;1My", []Key{{Text: "y"}}},       // what a terminal says of itself, and a mouse
		{"\xff\xc3(y\u0085", []Key{{Text: "("}, {Text: "y"}}}, // no UTF-8, and a control character of its upper half
		{"\x1b[" + strings.Repeat("1;", 60) + "A", nil},       // no key is so long
		{"\x1b]11;rgb:0000\x1b\\", []Key{{Name: "alt+]"}, {Text: "1"}, {Text: "1"}, {Text: ";"}, {Text: "r"}, {Text: "g"}, {Text: "b"}, {Text: ":"}, {Text: "0"}, {Text: "0"}, {Text: "0"}, {Text: "0"}, {Name: "alt+\\"}}},
	} {
		var d Decoder
		got := d.Feed([]byte(c.in))
		got = append(got, d.Flush()...)
		if c.want == nil {
			for _, k := range got {
				if k.Is("up", "y") {
					t.Errorf("%q gave %v", c.in, got)
				}
			}
			continue
		}
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%q gave %v, want %v", c.in, got, c.want)
		}
		var pieces Decoder
		var slow []Key
		for i := range len(c.in) {
			slow = append(slow, pieces.Feed([]byte(c.in[i:i+1]))...)
		}
		if slow = append(slow, pieces.Flush()...); !reflect.DeepEqual(slow, c.want) {
			t.Errorf("%q byte by byte gave %v, want %v", c.in, slow, c.want)
		}
	}
}

// An escape that nothing follows is a key, after a moment; and it is no part of the next one.
func TestEscape(t *testing.T) {
	var d Decoder
	if got := d.Feed([]byte{0x1b}); got != nil || !d.Waits() {
		t.Fatalf("%v", got)
	}
	if got := d.Flush(); !slices.Equal(got, []Key{{Name: "esc"}}) || d.Waits() {
		t.Fatalf("%v", got)
	}
	if got := d.Feed([]byte("y")); !slices.Equal(got, []Key{{Text: "y"}}) {
		t.Fatalf("%v", got)
	}
}

// What is pasted is never a command, whatever it says; and it is bounded.
func TestPaste(t *testing.T) {
	var d Decoder
	got := d.Feed([]byte("\x1b[200~" + strings.Repeat("y", MaxPaste+10) + "\x1b[201~"))
	if len(got) != 1 || got[0].Name != Paste || len(got[0].Text) != MaxPaste || got[0].Is("y") {
		t.Fatalf("%d keys, the first with %d bytes", len(got), len(got[0].Text))
	}
	if (Key{Name: Paste, Text: "y"}).Is("y", "") {
		t.Error("a pasted y is the key y")
	}
}

func TestEditor(t *testing.T) {
	var e Editor
	for _, k := range []Key{
		{Text: "a"},
		{Text: "ö"},
		{Text: " "},
		{Name: "left"},
		{Name: "backspace"},
		{Name: "end"},
		{Text: "b"},
		{Name: "ctrl+j"},
		{Name: Paste, Text: "x\r\ny\x1b[31m\u009b"},
		{Name: "home"},
		{Text: ">"},
	} {
		if !e.Key(k) {
			t.Errorf("%v means nothing", k)
		}
	}
	if want := "a b\nx\n>y[31m"; e.Text != want {
		t.Errorf("%q, want %q", e.Text, want)
	}
	e.Key(Key{Name: "ctrl+k"})
	e.Key(Key{Name: "ctrl+w"})
	if want := "a b\nx\n"; e.Text != want {
		t.Errorf("%q, want %q", e.Text, want)
	}
	if e.Key(Key{Name: "f1"}) {
		t.Error("a key that writes nothing was taken")
	}
}

// Whatever a terminal sends, nothing is kept without a bound, and no key has a control character in what it writes.
func FuzzDecoder(f *testing.F) {
	f.Add([]byte("\x1b[200~a\x1b[201~\x1b[A\x1b"))
	f.Add([]byte("\x1b[1;1;1;1~\xff\xc2\x9b"))
	f.Fuzz(func(t *testing.T, in []byte) {
		var d Decoder
		var e Editor
		for _, k := range append(d.Feed(in), d.Flush()...) {
			e.Key(k)
		}
		if e.At < 0 || e.At > len(e.Text) || strings.ContainsFunc(e.Text, func(r rune) bool { return r < 0x20 && r != '\n' && r != '\t' || r == 0x7f }) {
			t.Errorf("%q at %d", e.Text, e.At)
		}
	})
}
