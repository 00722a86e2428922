package process

import (
	"io"
	"strings"
	"sync"
	"unicode"
)

const (
	stderrBytes = 64 << 10 // kept of what an agent says on stderr: the last
	stderrLines = 40       // shown of it
	stderrRunes = 500      // shown of each line
)

// tail keeps the last bytes of a stream.
type tail struct {
	mu   sync.Mutex
	buf  []byte // a ring once it is full
	next int    // where the next byte goes
	full bool
}

// drain reads src to its end, so that the agent never blocks on its stderr.
func (t *tail) drain(src io.Reader) {
	small := make([]byte, 512) // most agents say nothing there
	for chunk := small; ; {
		n, err := src.Read(chunk)
		t.add(chunk[:n])
		switch {
		case err != nil:
			return
		case n == len(small):
			chunk = make([]byte, 4<<10)
		case n < len(small):
			chunk = small
		}
	}
}

func (t *tail) add(p []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.buf) < stderrBytes && !t.full {
		fits := min(len(p), stderrBytes-len(t.buf))
		t.buf = append(t.buf, p[:fits]...)
		p = p[fits:]
		t.full = len(t.buf) == stderrBytes
	}
	for len(p) > 0 {
		n := copy(t.buf[t.next:], p)
		p = p[n:]
		t.next = (t.next + n) % stderrBytes
	}
}

// lines returns the last lines, fit to be shown: without control characters and terminal sequences (threat T16), each
// of bounded length.
func (t *tail) lines() []string {
	t.mu.Lock()
	raw := make([]byte, 0, len(t.buf))
	raw = append(raw, t.buf[t.next:]...)
	raw = append(raw, t.buf[:t.next]...)
	lost := t.full && t.next > 0
	t.mu.Unlock()

	all := strings.Split(strings.ToValidUTF8(string(raw), "\uFFFD"), "\n")
	if lost && len(all) > 1 {
		all = all[1:] // its beginning was overwritten
	}
	var out []string
	for i := len(all) - 1; i >= 0 && len(out) < stderrLines; i-- {
		if line := sanitize(all[i]); line != "" {
			out = append(out, line)
		}
	}
	for i, j := 0, len(out)-1; i < j; i, j = i+1, j-1 {
		out[i], out[j] = out[j], out[i]
	}
	return out
}

// sanitize removes terminal sequences, control characters and bidirectional controls from a line, and cuts it.
func sanitize(line string) string {
	var b strings.Builder
	runes := []rune(line)
	count := 0
	for i := 0; i < len(runes); i++ {
		r := runes[i]
		switch {
		case r == 0x1b || r == 0x9b || r == 0x9d || r == 0x90:
			i = skipSequence(runes, i)
			continue
		case r == '\t':
			r = ' '
		case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r), r == 0x2028, r == 0x2029, r == 0xfeff:
			continue
		}
		if count++; count > stderrRunes {
			b.WriteString("…")
			break
		}
		b.WriteRune(r)
	}
	return strings.TrimRight(b.String(), " ")
}

// skipSequence returns the index of the last rune of the terminal sequence that begins at i: CSI up to its final
// character, OSC and DCS up to BEL or ST, anything else two characters.
func skipSequence(runes []rune, i int) int {
	kind := runes[i]
	if kind == 0x1b {
		if i++; i == len(runes) {
			return i - 1
		}
		kind = runes[i]
	}
	switch kind {
	case '[', 0x9b:
		for i++; i < len(runes); i++ {
			if runes[i] >= 0x40 && runes[i] <= 0x7e {
				return i
			}
		}
	case ']', 'P', '_', '^', 'X', 0x9d, 0x90:
		for i++; i < len(runes); i++ {
			if runes[i] == 0x07 || runes[i] == 0x9c || runes[i] == '\\' && runes[i-1] == 0x1b {
				return i
			}
		}
	}
	return min(i, len(runes)-1)
}
