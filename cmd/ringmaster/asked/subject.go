package asked

import (
	"encoding/json"
	"regexp"
	"strings"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/terminal"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Asked is a request as a person is shown it.
type Asked struct {
	Agent   string
	Request protocol.RequestOpened
	Call    *protocol.ToolCallData // that it is about; nil: not known
	Reason  string                 // why a person is asked
	Aloud   bool                   // it is read to somebody: words in place of signs
}

// maxShown bounds what is shown of a request, in lines: beyond it, its session has it.
const maxShown = 5000

// paper collects lines.
type paper struct {
	style   terminal.Style
	columns int
	aloud   bool
	lines   []string
	cut     bool // there was no room for the rest
}

// Lines shows what is asked. Nothing of it is stripped: a person decides about this text, so every control character is shown escaped, and long lines
// go on below. cut: this is only the beginning of it, and the last line says so.
func (a *Asked) Lines(style terminal.Style, columns int) (lines []string, cut bool) {
	q := &a.Request
	p := paper{style: style, columns: max(columns, 20), aloud: a.Aloud}
	if q.Kind == protocol.RequestApproval {
		p.add(style.Warn, a.Agent+" wants to use "+orDefault(q.ToolName, "a tool"))
	} else {
		p.add(style.Warn, a.Agent+" asks")
	}
	p.add(style.Bold, q.Title)
	if q.Cwd != "" {
		p.add(style.Dim, "in "+q.Cwd)
	}
	if a.Reason != "" {
		p.add(style.Dim, a.Reason)
	}
	p.subject(a)
	return p.lines, p.cut || q.DiffTruncated
}

// subject shows what is asked about: a diff where there is one, the command, or the arguments as they are. In logs from before requests had a diff, it is
// that of the call, or the text where it looks like one.
func (p *paper) subject(a *Asked) {
	q := &a.Request
	diff := ""
	switch {
	case q.Diff != "":
	case a.Call != nil && a.Call.Diff != "":
		diff = a.Call.Diff
	case IsDiff(q.Text):
		diff = q.Text
	}
	given := q.Arguments
	if given == "" && a.Call != nil {
		given = a.Call.Arguments
	}
	edits, is := editsOf(given)
	if !is {
		edits, is = editsOf(q.Text)
	}
	switch {
	case q.ToolKind == protocol.ToolExecute && q.Subject != "": // whatever the agent puts beside a command, it is the command that runs
		if q.Subject != q.Title {
			p.add(nil, q.Subject)
		}
		if q.Text != "" && q.Text != q.Subject {
			p.add(p.style.Dim, q.Text)
		}
	case q.Diff != "":
		if said := q.Said(); said != "" {
			p.add(nil, said)
		}
		p.diff(q.Diff)
		if q.DiffTruncated {
			p.put(p.style.Warn(terminal.CutDiff(q)))
		}
	case diff != "":
		p.diff(diff)
	case is:
		p.edits(edits)
	case q.Text != "":
		p.add(nil, indented(q.Text))
	case given != "" && q.Kind == protocol.RequestApproval:
		p.add(nil, indented(given))
	case q.Subject != "" && q.Subject != q.Title:
		p.add(nil, q.Subject)
	}
}

// add shows a text, line by line.
func (p *paper) add(style func(string) string, text string) {
	for _, line := range strings.Split(strings.Trim(text, "\n"), "\n") {
		line = terminal.Visible(strings.ReplaceAll(strings.TrimSuffix(line, "\r"), "\t", "    "))
		for _, l := range terminal.Wrap(line, p.columns) {
			if style != nil {
				l = style(l)
			}
			if !p.put(l) {
				return
			}
		}
	}
}

// put adds a line; false: there is no room for it. The first line without room says so.
func (p *paper) put(line string) bool {
	if len(p.lines) == maxShown {
		p.cut = true
		p.lines = append(p.lines, p.style.Warn("… more of it is left out here: read it in the session before you answer"))
	}
	if len(p.lines) > maxShown {
		return false
	}
	p.lines = append(p.lines, line)
	return true
}

// diff shows a unified diff, whatever it is: nothing of it is left out but what git says of files and blobs.
func (p *paper) diff(text string) {
	for _, line := range strings.Split(strings.Trim(text, "\n"), "\n") {
		switch {
		case strings.HasPrefix(line, "--- "), strings.HasPrefix(line, "+++ "), strings.HasPrefix(line, "@@"):
			p.add(p.style.Accent, line)
		case strings.HasPrefix(line, "+"):
			p.signed("+", line[1:])
		case strings.HasPrefix(line, "-"):
			p.signed("-", line[1:])
		case line == "":
			p.put("")
		default:
			p.add(nil, line)
		}
	}
}

// edits are what an agent wants to replace in a file by what.
type edits struct {
	path string
	list []map[string]*string // each with oldText and newText
}

// edits shows what was asked for, which does not say where it lies in the file.
func (p *paper) edits(e edits) {
	if e.path != "" {
		p.add(p.style.Accent, e.path)
	}
	for _, each := range e.list {
		p.add(p.style.Accent, "replaces")
		p.side("-", *each["oldText"])
		p.side("+", *each["newText"])
	}
}

func (p *paper) side(sign, text string) {
	if text == "" {
		return
	}
	for _, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		p.signed(sign, line)
	}
}

// signed shows a line that is added or removed.
func (p *paper) signed(sign, line string) {
	style, word := p.style.Good, "added: "
	if sign == "-" {
		style, word = p.style.Bad, "removed: "
	}
	if p.aloud {
		sign = word
	}
	p.add(style, sign+line)
}

// editsOf reads arguments that say nothing but what is replaced by what. Where anything stands beside it they are shown as a whole: a tool may do more with it
// than with the edits.
func editsOf(text string) (e edits, is bool) {
	var members map[string]json.RawMessage
	if json.Unmarshal([]byte(text), &members) != nil || json.Unmarshal(members["edits"], &e.list) != nil || len(e.list) == 0 {
		return e, false
	}
	for _, each := range e.list {
		if len(each) != 2 || each["oldText"] == nil || each["newText"] == nil {
			return e, false
		}
	}
	delete(members, "edits")
	if path, is := members["path"]; is && json.Unmarshal(path, &e.path) == nil {
		delete(members, "path")
	}
	return e, len(members) == 0
}

var unified = regexp.MustCompile(`(?m)^--- .*\n\+\+\+ .*\n@@ `)

// IsDiff says that a text looks like a unified diff: agents give one as the text of an approval.
func IsDiff(text string) bool { return unified.MatchString(text) }

// indented is JSON over several lines; anything else as it is.
func indented(text string) string {
	var value any
	trimmed := strings.TrimSpace(text)
	if !strings.HasPrefix(trimmed, "{") && !strings.HasPrefix(trimmed, "[") || json.Unmarshal([]byte(trimmed), &value) != nil {
		return text
	}
	b, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return text
	}
	return string(b)
}

func orDefault(text, other string) string {
	if text == "" {
		return other
	}
	return text
}
