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
func (n *pen) block(tookMs int64, end *protocol.EntryEnd) []string {
	var out []string
	switch d := end.Data.(type) {
	case *protocol.ToolCallData:
		out = n.toolCall(tookMs, d, end)
	case *protocol.ToolResultData:
		return nil // the tool call has it too
	case *protocol.PlanData:
		out = n.plan(d)
	case *protocol.CompactionData:
		text := "context compacted"
		if d.Trigger != "" {
			text += " (" + n.oneLine(d.Trigger, 30) + ")"
		}
		if d.TokensBefore > 0 {
			text += ", " + strconv.FormatInt(d.TokensBefore, 10) + " tokens before"
		}
		out = []string{n.style.Dim("⋯ " + text)}
	case *protocol.SystemData:
		out = n.system(d)
	case *protocol.MessageData, *protocol.ThinkingData, *protocol.UnknownData:
		return nil
	}
	if len(out) > 0 {
		out = append(out, n.cutNote(end.Data)...)
	}
	return out
}

func (n *pen) toolCall(tookMs int64, d *protocol.ToolCallData, end *protocol.EntryEnd) []string {
	if d.DurationMs != nil {
		tookMs = *d.DurationMs
	}
	took := durationText(tookMs)
	mark, style, how := "✓", n.style.Good, ""
	switch {
	case end.Incomplete:
		mark, style, how = "■", n.style.Warn, "incomplete"
		if end.Reason != "" {
			how = n.oneLine(end.Reason, 40)
		}
	case d.Status == protocol.ToolError:
		mark, style, how = "✗", n.style.Bad, "failed"
	}
	if d.ExitCode != nil && *d.ExitCode != 0 {
		how = "exit " + strconv.Itoa(*d.ExitCode)
	}
	name := Cut(Visible(d.ToolName), 40)
	used := Cells(name) + len(took) + len(how) + 8
	head := style(mark) + " " + n.style.Bold(name)
	if what := toolSubject(d); what != "" {
		head += "  " + n.oneLine(what, used)
	}
	head += "  " + n.style.Dim(took)
	if how != "" {
		head += "  " + style(how)
	}
	out := []string{head}
	if d.Diff != "" {
		return append(out, n.diff(d.Diff)...)
	}
	return append(out, n.output(d.Output)...)
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
func (n *pen) output(text string) []string {
	text = strings.TrimLeft(strings.TrimRight(n.strip(text), " \t\n"), "\n")
	if text == "" {
		return nil
	}
	lines := strings.Split(text, "\n")
	var out []string
	if more := len(lines) - maxOutputLines; more > 0 {
		out = append(out, n.style.Dim(gutter+"… "+strconv.Itoa(more)+" more lines"))
		lines = lines[more:]
	}
	for _, l := range lines {
		out = append(out, n.style.Dim(strings.TrimRight(gutter+n.cutText(l), " ")))
	}
	return out
}

func (n *pen) diff(text string) []string {
	var out []string
	lines := strings.Split(strings.Trim(n.strip(text), "\n"), "\n")
	for i, l := range lines {
		if i == maxDiffLines {
			return append(out, n.style.Dim(gutter+"… "+strconv.Itoa(len(lines)-i)+" more lines"))
		}
		l = n.cutText(l)
		switch {
		case strings.HasPrefix(l, "+"):
			l = n.style.Good(l)
		case strings.HasPrefix(l, "-"):
			l = n.style.Bad(l)
		default:
			l = n.style.Dim(l)
		}
		out = append(out, n.style.Dim(gutter)+l)
	}
	return out
}

func (n *pen) plan(d *protocol.PlanData) []string {
	out := []string{n.style.Accent("▤ ") + n.style.Bold("plan")}
	if d.Text != "" {
		for _, l := range wrap(n.strip(d.Text), n.textColumns()) {
			out = append(out, strings.TrimRight(indent+l, " "))
		}
	}
	for _, s := range d.Steps {
		mark := "○"
		switch s.Status {
		case "completed":
			mark = n.style.Good("●")
		case "in_progress":
			mark = n.style.Warn("◐")
		}
		out = append(out, indent+mark+" "+n.oneLine(s.Text, 4))
	}
	return out
}

func (n *pen) system(d *protocol.SystemData) []string {
	if d.Text == "" { // a native event without a canonical form
		return nil
	}
	mark, style := "· ", n.style.Dim
	switch d.Level {
	case "warning":
		mark, style = "! ", n.style.Warn
	case "error":
		mark, style = "! ", n.style.Bad
	}
	var out []string
	for i, l := range wrap(n.strip(d.Text), n.textColumns()) {
		if i > 0 {
			mark = indent
		}
		out = append(out, style(strings.TrimRight(mark+l, " ")))
	}
	return out
}
