package codex

import (
	"bytes"
	"fmt"
	"testing"
)

// TestHeld: the oldest lines fall out, by number and by size.
func TestHeld(t *testing.T) {
	for _, c := range []struct{ lines, size, want int }{
		{10, 100, 10}, {maxHeldLines + 10, 1, maxHeldLines}, {5, maxHeldBytes / 2, 2}, {1, maxHeldBytes + 1, 0},
	} {
		var h held
		for i := range c.lines {
			h.add(fmt.Sprint(i), bytes.Repeat([]byte("x"), c.size))
		}
		lines := h.take()
		if len(lines) != c.want || c.want > 0 && lines[c.want-1].thread != fmt.Sprint(c.lines-1) || h.bytes != 0 || h.lines != nil {
			t.Errorf("%+v: %d lines, %d bytes are left", c, len(lines), h.bytes)
		}
	}
}
