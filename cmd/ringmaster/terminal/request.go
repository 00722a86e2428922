package terminal

import (
	"strconv"
	"strings"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// request shows what the agent asks, with every control character visible: a person decides about this text.
func (n *pen) request(p *protocol.RequestOpened, now int64) []string {
	title := n.oneLine(p.Title, 16)
	if p.ToolName != "" {
		title = n.oneLine(p.ToolName, 16) + ": " + title
	}
	out := []string{n.style.Warn("? "+n.oneLine(string(p.Kind), 30)) + "  " + n.style.Bold(title)}
	if p.SessionID != "" {
		out = append(out, n.style.Dim(indent+"a sub-agent asks: session "+n.oneLine(p.SessionID, 28)))
	}
	if p.Kind == protocol.RequestCallerTool {
		return append(out, n.style.Dim(indent+n.oneLine(p.Arguments, 4))) // its caller answers
	}
	if p.Default != "" && p.Deadline > now {
		out = append(out, n.style.Dim(indent+"without an answer in "+durationText(p.Deadline-now)+": "+n.oneLine(string(p.Default), 20)))
	}
	for _, l := range strings.Split(p.Said(), "\n") {
		if l != "" {
			for _, w := range wrap(Visible(l), n.textColumns()) {
				out = append(out, indent+w)
			}
		}
	}
	out = append(out, n.asks(p)...)
	for _, q := range p.Questions {
		if q.Text != "" && q.Text != p.Title {
			out = append(out, indent+n.oneLine(q.Text, 4))
		}
		out = append(out, n.options(q.Options, true)...)
	}
	out = append(out, n.options(p.Options, p.Kind != protocol.RequestApproval)...)
	if n.opt.Keys {
		return out
	}
	return append(out, n.style.Dim(indent+"answer with: ringmaster answer "+n.opt.Session+" "+Visible(p.RequestID)+" "+AnswerFlags(p)))
}

// asks shows the whole diff of a request.
func (n *pen) asks(p *protocol.RequestOpened) (out []string) {
	if p.Diff == "" {
		return nil
	}
	for _, l := range strings.Split(strings.TrimSuffix(p.Diff, "\n"), "\n") {
		style := func(text string) string { return text }
		switch {
		case strings.HasPrefix(l, "--- "), strings.HasPrefix(l, "+++ "), strings.HasPrefix(l, "@@ "):
			style = n.style.Accent
		case strings.HasPrefix(l, "+"):
			style = n.style.Good
		case strings.HasPrefix(l, "-"):
			style = n.style.Bad
		}
		for _, w := range wrap(Visible(strings.ReplaceAll(l, "\t", "    ")), n.textColumns()) {
			out = append(out, indent+style(w))
		}
	}
	if p.DiffTruncated {
		out = append(out, indent+n.style.Warn(CutDiff(p)))
	}
	return out
}

// CutDiff says that a request's diff is not the whole, for who decides by it.
func CutDiff(p *protocol.RequestOpened) string {
	shown, whole := strconv.Itoa(len(p.Diff)), strconv.FormatInt(p.DiffBytes, 10)
	return "… these are the first " + shown + " of " + whole + " bytes of the diff: the rest was too long for the log"
}

// options lists answers to choose from; numbered where people choose among many, as `ringmaster answer --option` takes the number as well.
func (n *pen) options(list []protocol.Option, numbered bool) []string {
	out := make([]string, 0, len(list))
	for _, o := range list { // a number beside ids that are numbers would be a riddle
		_, err := strconv.Atoi(o.ID)
		numbered = numbered && err != nil
	}
	for i, o := range list {
		mark := "- "
		if numbered {
			mark = strconv.Itoa(i+1) + ". "
		}
		l := indent + mark + n.style.Accent(n.oneLine(o.ID, 8))
		if o.Label != "" && o.Label != o.ID {
			l += "  " + n.oneLine(o.Label, 20)
		}
		if o.Description != "" {
			l += "  " + n.style.Dim(n.oneLine(o.Description, 40))
		}
		out = append(out, l)
	}
	return out
}

// AnswerFlags says which flags of `ringmaster answer` fit a request.
func AnswerFlags(p *protocol.RequestOpened) string {
	if p.Kind == protocol.RequestApproval {
		return "--allow | --deny"
	}
	for _, q := range p.Questions {
		if len(q.Options) > 0 {
			return "--option NUMBER_OR_ID"
		}
	}
	if len(p.Options) > 0 {
		return "--option NUMBER_OR_ID"
	}
	return "--text TEXT"
}

// why says why a person is asked.
func (n *pen) why(text string) []string {
	var out []string
	for _, l := range wrap(text, n.textColumns()) {
		out = append(out, n.style.Dim(indent+l))
	}
	return out
}

// resolved shows an answer; by is what of a policy has given it.
func (n *pen) resolved(p *protocol.RequestResolved, by string) []string {
	text := n.oneLine(string(p.Outcome), 30)
	if p.Option != "" {
		text += " (" + n.oneLine(p.Option, 30) + ")"
	}
	for _, a := range p.Answers {
		text += " " + n.oneLine(strings.Join(a, ", "), 30)
	}
	if p.By != "" {
		text += " by " + n.oneLine(p.By, 30)
	}
	if p.By == "policy" && p.Message != "" {
		text += ": " + n.oneLine(p.Message, 32)
	}
	if by == "" {
		return []string{n.style.Dim(indent + "→ " + text)}
	}
	lines := wrap(Visible(text+", "+by), max(n.textColumns()-2, 0))
	for i, l := range lines {
		mark := indent + "→ "
		if i > 0 {
			mark = indent + indent
		}
		lines[i] = n.style.Dim(mark + l)
	}
	return lines
}
