package terminal

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Lines of a tool's output and of a diff that are shown.
const (
	maxOutputLines = 8
	maxDiffLines   = 24
)

// block shows an entry that is shown at its end.
func (v *View) block(e *protocol.Event, p *part, end *protocol.EntryEnd) []string {
	var out []string
	switch d := end.Data.(type) {
	case *protocol.ToolCallData:
		out = v.toolCall(p.took(e.Time), d, end)
	case *protocol.ToolResultData:
		return nil // the tool call has it too
	case *protocol.PlanData:
		out = v.plan(d)
	case *protocol.CompactionData:
		text := "context compacted"
		if d.Trigger != "" {
			text += " (" + v.oneLine(d.Trigger, 30) + ")"
		}
		if d.TokensBefore > 0 {
			text += ", " + strconv.FormatInt(d.TokensBefore, 10) + " tokens before"
		}
		out = []string{v.style.Dim("⋯ " + text)}
	case *protocol.SystemData:
		out = v.system(d)
	case *protocol.MessageData, *protocol.ThinkingData, *protocol.UnknownData:
		return nil
	}
	if len(out) > 0 {
		out = append(out, v.cutNote(end.Data)...)
	}
	return out
}

func (v *View) toolCall(tookMs int64, d *protocol.ToolCallData, end *protocol.EntryEnd) []string {
	if d.DurationMs != nil {
		tookMs = *d.DurationMs
	}
	took := durationText(tookMs)
	mark, style, how := "✓", v.style.Good, ""
	switch {
	case end.Incomplete:
		mark, style, how = "■", v.style.Warn, "incomplete"
		if end.Reason != "" {
			how = v.oneLine(end.Reason, 40)
		}
	case d.Status == protocol.ToolError:
		mark, style, how = "✗", v.style.Bad, "failed"
	}
	if d.ExitCode != nil && *d.ExitCode != 0 {
		how = "exit " + strconv.Itoa(*d.ExitCode)
	}
	name := Cut(Visible(d.ToolName), 40)
	used := Cells(name) + len(took) + len(how) + 8
	head := style(mark) + " " + v.style.Bold(name)
	if what := toolSubject(d); what != "" {
		head += "  " + v.oneLine(what, used)
	}
	head += "  " + v.style.Dim(took)
	if how != "" {
		head += "  " + style(how)
	}
	out := []string{head}
	if d.Diff != "" {
		return append(out, v.diff(d.Diff)...)
	}
	return append(out, v.output(d.Output)...)
}

// toolSubject is what a call is about, in one line: its command, or the most telling of its arguments.
func toolSubject(d *protocol.ToolCallData) string {
	if d.Command != "" {
		return d.Command
	}
	var args map[string]any
	if json.Unmarshal([]byte(d.Arguments), &args) != nil {
		return d.Arguments
	}
	for _, k := range []string{"command", "path", "file_path", "filePath", "pattern", "query", "url", "description"} {
		if s, ok := args[k].(string); ok && s != "" {
			return s
		}
	}
	if len(args) == 0 {
		return ""
	}
	return d.Arguments
}

// output shows the last lines of a tool's output.
func (v *View) output(text string) []string {
	text = strings.TrimLeft(strings.TrimRight(v.strip(text), " \t\n"), "\n")
	if text == "" {
		return nil
	}
	lines := strings.Split(text, "\n")
	var out []string
	if n := len(lines) - maxOutputLines; n > 0 {
		out = append(out, v.style.Dim(gutter+"… "+strconv.Itoa(n)+" more lines"))
		lines = lines[n:]
	}
	for _, l := range lines {
		out = append(out, v.style.Dim(strings.TrimRight(gutter+v.cutText(l), " ")))
	}
	return out
}

func (v *View) diff(text string) []string {
	var out []string
	lines := strings.Split(strings.Trim(v.strip(text), "\n"), "\n")
	for i, l := range lines {
		if i == maxDiffLines {
			return append(out, v.style.Dim(gutter+"… "+strconv.Itoa(len(lines)-i)+" more lines"))
		}
		l = v.cutText(l)
		switch {
		case strings.HasPrefix(l, "+"):
			l = v.style.Good(l)
		case strings.HasPrefix(l, "-"):
			l = v.style.Bad(l)
		default:
			l = v.style.Dim(l)
		}
		out = append(out, v.style.Dim(gutter)+l)
	}
	return out
}

// cutText cuts a cleaned line to the room behind the gutter; tabs become spaces, so that its width is known.
func (v *View) cutText(line string) string {
	line = strings.Join(wrap(line, 0), " ")
	if v.opt.Columns > 0 {
		line = Cut(line, max(v.opt.Columns-Cells(gutter), minColumns))
	}
	return line
}

func (v *View) plan(d *protocol.PlanData) []string {
	out := []string{v.style.Accent("▤ ") + v.style.Bold("plan")}
	if d.Text != "" {
		for _, l := range wrap(v.strip(d.Text), v.textColumns()) {
			out = append(out, strings.TrimRight(indent+l, " "))
		}
	}
	for _, s := range d.Steps {
		mark := "○"
		switch s.Status {
		case "completed":
			mark = v.style.Good("●")
		case "in_progress":
			mark = v.style.Warn("◐")
		}
		out = append(out, indent+mark+" "+v.oneLine(s.Text, 4))
	}
	return out
}

func (v *View) system(d *protocol.SystemData) []string {
	if d.Text == "" { // a native event without a canonical form
		return nil
	}
	mark, style := "· ", v.style.Dim
	switch d.Level {
	case "warning":
		mark, style = "! ", v.style.Warn
	case "error":
		mark, style = "! ", v.style.Bad
	}
	var out []string
	for i, l := range wrap(v.strip(d.Text), v.textColumns()) {
		if i > 0 {
			mark = indent
		}
		out = append(out, style(strings.TrimRight(mark+l, " ")))
	}
	return out
}
