package terminal

import (
	"strings"

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

// textColumns is the room of a text behind its prefix.
func (v *View) textColumns() int {
	if v.opt.Columns <= 0 {
		return 0
	}
	return max(v.opt.Columns-len(indent), minColumns)
}

func (v *View) textLines(p *part, lines []string) []string {
	out := make([]string, 0, len(lines))
	for _, l := range lines {
		out = append(out, v.textLine(p, l))
	}
	return out
}

// textLine shows one line of a text; counted, so that the first one has the mark.
func (v *View) textLine(p *part, line string) string {
	p.lines++
	return v.styledText(p, line, p.lines == 1)
}

func (v *View) styledText(p *part, line string, first bool) string {
	switch p.kind {
	case protocol.EntryUserMessage:
		if first {
			return v.style.Accent(markUser) + v.style.Bold(line)
		}
		return strings.TrimRight(indent+v.style.Bold(line), " ")
	case protocol.EntryThinking:
		return strings.TrimRight(indent+v.style.Dim(line), " ")
	default:
		if first {
			return v.style.Accent(markAnswer) + line
		}
		return strings.TrimRight(indent+line, " ")
	}
}

// showPrompt shows the prompt of a turn whose agent did not repeat it as an entry.
func (v *View) showPrompt() []string {
	if v.prompt == "" {
		return nil
	}
	p := &part{kind: protocol.EntryUserMessage}
	lines := wrap(v.strip(v.prompt), v.textColumns())
	v.prompt = ""
	return v.textLines(p, lines)
}

// strip cleans a text, unless it is wanted raw.
func (v *View) strip(text string) string {
	if v.opt.Raw {
		return text
	}
	return Strip(text)
}

// oneLine makes a text fit into the rest of a line after used columns.
func (v *View) oneLine(text string, used int) string {
	text = Visible(text)
	if v.opt.Columns > 0 {
		return Cut(text, max(v.opt.Columns-used, minColumns))
	}
	return Cut(text, 200)
}

// cutNote says that a text was cut at ingestion.
func (v *View) cutNote(d protocol.EntryData) []string {
	c := cutOf(d)
	if !c.Truncated {
		return nil
	}
	return []string{v.style.Dim("  (cut: " + bytesText(c.Bytes) + " in all)")}
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

func (v *View) reason(text string) string {
	if text == "" {
		return ""
	}
	return ": " + v.oneLine(text, 20)
}
