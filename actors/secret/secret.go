package secret

import (
	"bytes"
	"strings"
	"sync/atomic"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// A token that was made is Prefix, its id, an underscore and 256 bits in base64; only these are secret.
const (
	idLength   = 12
	open       = len(protocol.TokenPrefix) + idLength + 1 // characters of it that anybody may see
	bitsLength = 43
	whole      = open + bitsLength
)

// shown is how much of the daemon's first token may be seen of one that comes in pieces.
const shown = 8

// mask stands for what was there, as long as it is.
const mask = "redacted" + "********************************************************"

// Tokens knows what tokens look like, and the daemon's first one by itself: that has no form of its own. A nil one knows the form alone. Its
// methods may be called from any goroutine.
type Tokens struct{ first atomic.Pointer[string] }

// Know says what the daemon's first token is; shorter ones than 16 characters are not looked for.
func (t *Tokens) Know(token string) {
	if len(token) >= 2*shown && len(token) <= len(mask) {
		t.first.Store(&token)
	}
}

func (t *Tokens) known() string {
	if t == nil {
		return ""
	}
	if p := t.first.Load(); p != nil {
		return *p
	}
	return ""
}

var prefix = []byte(protocol.TokenPrefix)

const last = '_'

// Mask takes the tokens out of a line, in place, and says whether there was one.
func (t *Tokens) Mask(line []byte) (found bool) {
	for at := 0; ; { // the prefix's last character is rarer than its first
		i := bytes.IndexByte(line[at:], last)
		if i < 0 {
			break
		}
		at += i + 1
		if from := at - len(prefix); from >= 0 && line[from] == prefix[0] && length(line[from:]) == whole {
			copy(line[from+open:from+whole], mask)
			found = true
		}
	}
	first := t.known()
	if first == "" {
		return found
	}
	for at, head := 0, []byte(first[:2*shown]); ; at += len(head) { // a short needle is found by the vector unit
		i := bytes.Index(line[at:], head)
		if i < 0 {
			return found
		}
		if at += i; bytes.HasPrefix(line[at:], []byte(first)) {
			copy(line[at:at+len(first)], mask)
			found = true
		}
	}
}

// May says that there may be a token in a line.
func (t *Tokens) May(line []byte) bool {
	first := t.known()
	return bytes.Contains(line, prefix) || first != "" && bytes.Contains(line, []byte(first[:2*shown]))
}

// Text is the text without tokens.
func (t *Tokens) Text(text string) string {
	first := t.known()
	if !strings.Contains(text, protocol.TokenPrefix) && (first == "" || !strings.Contains(text, first[:2*shown])) {
		return text
	}
	line := []byte(text)
	if !t.Mask(line) {
		return text
	}
	return string(line)
}

// length is how many characters of a text are the beginning of a token, at most all of one. The text begins with an r.
func length[T string | []byte](text T) int {
	for i := range min(len(text), whole) {
		if !fits(i, text[i]) {
			return i
		}
	}
	return min(len(text), whole)
}

// fits says whether a token may have this character at this place.
func fits(at int, c byte) bool {
	letter := c >= 'a' && c <= 'z'
	switch {
	case at < len(prefix):
		return c == protocol.TokenPrefix[at]
	case at < open-1:
		return letter || c >= '2' && c <= '7'
	case at == open-1:
		return c == '_'
	}
	return letter || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-'
}
