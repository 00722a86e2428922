package keys

// Key is one key, or what was pasted.
type Key struct {
	Name string // of a key that writes nothing, such as up, enter, esc and ctrl+c; Paste; empty: the key writes Text
	Text string // what it writes: one character, or what was pasted
}

// Paste is the name of what came in one piece, by the terminal's word: nobody has typed it.
const Paste = "paste"

// Is says whether a key is one of these, by its name or by what it writes.
func (k Key) Is(names ...string) bool {
	if k.Name == Paste {
		return false
	}
	for _, a := range names {
		if k.Name == a || k.Name == "" && k.Text == a {
			return true
		}
	}
	return false
}
