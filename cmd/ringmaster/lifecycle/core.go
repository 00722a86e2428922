package lifecycle

import (
	"fmt"

	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// CoreText says how far Core has a daemon's logs.
func CoreText(s *resource.CoreState) string {
	text := "does not answer"
	switch {
	case s.Up:
		text = "answers"
	case s.Problem != "":
		text = "cannot be used: " + s.Problem
		if s.Hint != "" {
			text += " (" + s.Hint + ")"
		}
	}
	if s.Behind > 0 {
		text += fmt.Sprintf(", %d events behind", s.Behind)
	}
	if s.Stuck > 0 {
		text += fmt.Sprintf("; of %d sessions nothing can be sent", s.Stuck)
	}
	return text
}
