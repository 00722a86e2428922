package terminal

import (
	"strings"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/picture"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Prefixes of the lines of a text; all take two columns.
const (
	markUser   = "› "
	markAnswer = "● "
	indent     = "  "
	gutter     = "  │ "
)

const minColumns = 20

// pen writes pieces of text as a terminal shows them: cleaned, cut to its width, styled.
type pen struct {
	opt   Options
	style Style
}

// textColumns is the room of a text behind its prefix.
func (n *pen) textColumns() int {
	if n.opt.Columns <= 0 {
		return 0
	}
	return max(n.opt.Columns-len(indent), minColumns)
}

// strip cleans a text, unless it is wanted raw.
func (n *pen) strip(text string) string {
	if n.opt.Raw {
		return text
	}
	return Strip(text)
}

// oneLine makes a text fit into the rest of a line after used columns.
func (n *pen) oneLine(text string, used int) string {
	text = Visible(text)
	if n.opt.Columns > 0 {
		return Cut(text, max(n.opt.Columns-used, minColumns))
	}
	return Cut(text, 200)
}

// text styles one line of what somebody said.
func (n *pen) text(kind protocol.EntryType, line string, first bool) string {
	switch kind {
	case protocol.EntryUserMessage:
		if first {
			return n.style.Accent(markUser) + n.style.Bold(line)
		}
		return strings.TrimRight(indent+n.style.Bold(line), " ")
	case protocol.EntryThinking:
		return strings.TrimRight(indent+n.style.Dim(line), " ")
	default:
		if first {
			return n.style.Accent(markAnswer) + line
		}
		return strings.TrimRight(indent+line, " ")
	}
}

// cutNote says that a text was cut at ingestion.
func (n *pen) cutNote(d protocol.EntryData) []string {
	c := cutOf(d)
	if !c.Truncated {
		return nil
	}
	return []string{n.style.Dim("  (cut: " + picture.Size(c.Bytes) + " in all)")}
}

func cutOf(d protocol.EntryData) protocol.Cut {
	switch d := d.(type) {
	case *protocol.MessageData:
		return d.Cut
	case *protocol.ThinkingData:
		return d.Cut
	case *protocol.ToolCallData:
		return d.Cut
	case *protocol.ToolResultData:
		return d.Cut
	case *protocol.CompactionData:
		return d.Cut
	case *protocol.SystemData:
		return d.Cut
	case *protocol.PlanData, *protocol.UnknownData:
	}
	return protocol.Cut{}
}

func (n *pen) reason(text string) string {
	if text == "" {
		return ""
	}
	return ": " + n.oneLine(text, 20)
}

func (n *pen) hint(text string) []string {
	if text == "" {
		return nil
	}
	return []string{n.style.Dim(indent + "hint: " + n.oneLine(text, 8))}
}

func (n *pen) where(cwd string) string {
	if cwd == "" {
		return ""
	}
	return " · " + n.oneLine(cwd, 60)
}

// cutText cuts a cleaned line to the room behind the gutter; tabs become spaces, so that its width is known.
func (n *pen) cutText(line string) string {
	line = strings.Join(wrap(line, 0), " ")
	if n.opt.Columns > 0 {
		line = Cut(line, max(n.opt.Columns-Cells(gutter), minColumns))
	}
	return line
}
