package terminal

import (
	"strconv"
	"strings"
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// notice shows an event that is no entry.
func (v *View) notice(e *protocol.Event) []string {
	v.now = e.Time
	switch p := e.Payload.(type) {
	case *protocol.SessionStart:
		what := "session "
		if p.Metadata.SubAgent {
			what = "sub-agent's session "
		}
		return append([]string{v.style.Dim(what + v.oneLine(p.SessionID, 20) + " · " + v.oneLine(p.AgentBackend, 20) + v.where(p.Metadata.Cwd))},
			v.policy(p.Metadata.Policy)...)
	case *protocol.SessionEnd:
		return v.sessionEnd(p)
	case *protocol.ChildSession:
		return []string{v.child(p)}
	case *protocol.Epoch:
		return []string{v.style.Warn("! epoch " + strconv.FormatUint(p.Epoch, 10) + ": events were lost" + v.reason(p.Reason))}
	case *protocol.TurnStart:
		v.turn, v.began, v.used, v.prompt, v.begun = p.TurnID, e.Time, protocol.Usage{}, "", true
		if p.Prompt != nil {
			v.prompt = p.Prompt.Text
		}
	case *protocol.TurnEnd:
		return v.turnEnd(e, p)
	case *protocol.TokenUsage:
		v.used.InputTokens += p.Usage.InputTokens
		v.used.CachedInputTokens += p.Usage.CachedInputTokens
		v.used.OutputTokens += p.Usage.OutputTokens
	case *protocol.RequestOpened:
		v.requests[p.RequestID] = *p
		v.pause(p, e.Time)
		return v.request(p)
	case *protocol.RequestResolved:
		delete(v.requests, p.RequestID)
		v.resume(p.RequestID, e.Time)
		return v.resolved(p)
	case *protocol.PromptQueued:
		v.queued[p.PromptID] = p.Text
		if v.turn != "" {
			return []string{v.style.Dim("+ queued: " + v.oneLine(p.Text, 12))}
		}
	case *protocol.PromptMoved:
		where := "to the end of the queue"
		if p.Before != "" {
			where = "before: " + v.waiting(p.Before)
		}
		return []string{v.style.Dim("~ moved: " + v.waiting(p.PromptID) + ", " + where)}
	case *protocol.PromptRemoved:
		text := v.queued[p.PromptID]
		delete(v.queued, p.PromptID)
		if p.Reason == protocol.RemovedCancelled {
			return []string{v.style.Dim("- taken from the queue: " + v.oneLine(text, 30) + v.reason(p.Error))}
		}
	case *protocol.Status:
		if p.State != v.status.State || p.ToolName != v.status.ToolName {
			v.since = e.Time
		}
		v.status = *p
	case *protocol.SessionMeta:
		return v.meta(p)
	case *protocol.EntryMeta, *protocol.EntryStart, *protocol.EntryDelta, *protocol.EntryEnd, *protocol.Unknown:
	}
	return nil
}

// waiting is how a prompt of the queue is called: by its text, or its id where the text was not seen.
func (v *View) waiting(id string) string {
	if text := v.queued[id]; text != "" {
		return v.oneLine(text, 36)
	}
	return v.oneLine(id, 36)
}

func (v *View) where(cwd string) string {
	if cwd == "" {
		return ""
	}
	return " · " + v.oneLine(cwd, 60)
}

func (v *View) sessionEnd(p *protocol.SessionEnd) []string {
	if p.Reason != protocol.EndError {
		return []string{v.style.Dim("session ended: " + v.oneLine(string(p.Reason), 20) + v.reason(p.Error))}
	}
	return append([]string{v.style.Bad("✗ session failed" + v.reason(p.Error))}, v.hint(p.Hint)...)
}

func (v *View) turnEnd(e *protocol.Event, p *protocol.TurnEnd) []string {
	out := v.showPrompt()
	tail := ""
	if v.turn == p.TurnID && v.began > 0 {
		tail = "  " + durationText(e.Time-v.began)
	}
	if u := v.used; u.InputTokens > 0 || u.OutputTokens > 0 {
		tail += " · " + countText(u.InputTokens) + " tokens in"
		if u.CachedInputTokens > 0 {
			tail += " (" + countText(u.CachedInputTokens) + " cached)"
		}
		tail += ", " + countText(u.OutputTokens) + " out"
	}
	v.turn, v.began = "", 0
	switch {
	case p.Failed():
		out = append(out, v.style.Bad("✗ failed"+v.reason(p.Error))+v.style.Dim(tail))
	case p.Status == protocol.TurnCompleted:
		out = append(out, v.style.Good("✓ done")+v.style.Dim(tail))
	default:
		out = append(out, v.style.Warn("■ interrupted"+v.reason(p.Error))+v.style.Dim(tail))
	}
	return append(out, v.hint(p.Hint)...)
}

func (v *View) hint(text string) []string {
	if text == "" {
		return nil
	}
	return []string{v.style.Dim(indent + "hint: " + v.oneLine(text, 8))}
}

// request shows what the agent asks, with every control character visible: a person decides about this text.
func (v *View) request(p *protocol.RequestOpened) []string {
	title := v.oneLine(p.Title, 16)
	if p.ToolName != "" {
		title = v.oneLine(p.ToolName, 16) + ": " + title
	}
	out := []string{v.style.Warn("? "+v.oneLine(string(p.Kind), 30)) + "  " + v.style.Bold(title)}
	if p.SessionID != "" {
		out = append(out, v.style.Dim(indent+"a sub-agent asks: session "+v.oneLine(p.SessionID, 28)))
	}
	if p.Kind == protocol.RequestCallerTool {
		return append(out, v.style.Dim(indent+v.oneLine(p.Arguments, 4))) // its caller answers
	}
	if p.Default != "" && p.Deadline > v.now {
		out = append(out, v.style.Dim(indent+"without an answer in "+durationText(p.Deadline-v.now)+": "+v.oneLine(string(p.Default), 20)))
	}
	for _, l := range strings.Split(p.Text, "\n") {
		if l != "" {
			for _, w := range wrap(Visible(l), v.textColumns()) {
				out = append(out, indent+w)
			}
		}
	}
	for _, q := range p.Questions {
		if q.Text != "" && q.Text != p.Title {
			out = append(out, indent+v.oneLine(q.Text, 4))
		}
		out = append(out, v.options(q.Options, true)...)
	}
	out = append(out, v.options(p.Options, p.Kind != protocol.RequestApproval)...)
	return append(out, v.style.Dim(indent+"answer with: ringmaster answer "+v.opt.Session+" "+Visible(p.RequestID)+" "+AnswerFlags(p)))
}

// options lists answers to choose from; numbered where people choose among many, as `ringmaster answer --option` takes the number as well.
func (v *View) options(list []protocol.Option, numbered bool) []string {
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
		l := indent + mark + v.style.Accent(v.oneLine(o.ID, 8))
		if o.Label != "" && o.Label != o.ID {
			l += "  " + v.oneLine(o.Label, 20)
		}
		if o.Description != "" {
			l += "  " + v.style.Dim(v.oneLine(o.Description, 40))
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

func (v *View) resolved(p *protocol.RequestResolved) []string {
	text := v.oneLine(string(p.Outcome), 30)
	if p.Option != "" {
		text += " (" + v.oneLine(p.Option, 30) + ")"
	}
	for _, a := range p.Answers {
		text += " " + v.oneLine(strings.Join(a, ", "), 30)
	}
	if p.By != "" {
		text += " by " + v.oneLine(p.By, 30)
	}
	if p.By == "policy" && p.Message != "" {
		text += ": " + v.oneLine(p.Message, 32)
	}
	return []string{v.style.Dim(indent + "→ " + text)}
}

// durationText is a duration for people: 0.3 s, 12 s, 3 m 05 s.
func durationText(ms int64) string {
	ms = max(ms, 0)
	switch d := time.Duration(ms) * time.Millisecond; {
	case d < 10*time.Second:
		return strconv.FormatFloat(d.Seconds(), 'f', 1, 64) + " s"
	case d < time.Minute:
		return strconv.FormatInt(int64(d/time.Second), 10) + " s"
	case d < time.Hour:
		return strconv.FormatInt(int64(d/time.Minute), 10) + " m " + pad2(int64(d%time.Minute/time.Second)) + " s"
	default:
		return strconv.FormatInt(int64(d/time.Hour), 10) + " h " + pad2(int64(d%time.Hour/time.Minute)) + " m"
	}
}

func pad2(n int64) string {
	s := strconv.FormatInt(n, 10)
	if len(s) < 2 {
		return "0" + s
	}
	return s
}

// countText is a number of tokens for people.
func countText(n int64) string {
	if n < 10_000 {
		return strconv.FormatInt(n, 10)
	}
	return strconv.FormatFloat(float64(n)/1000, 'f', 1, 64) + "k"
}

func bytesText(n int64) string {
	switch {
	case n < 1<<10:
		return strconv.FormatInt(n, 10) + " bytes"
	case n < 1<<20:
		return strconv.FormatFloat(float64(n)/(1<<10), 'f', 1, 64) + " KiB"
	default:
		return strconv.FormatFloat(float64(n)/(1<<20), 'f', 1, 64) + " MiB"
	}
}

// child names a session that works for this one, and says how its newest turn ended.
func (v *View) child(p *protocol.ChildSession) string {
	line := v.style.Accent("↳ ") + "child session " + v.oneLine(p.ChildSessionID, 40) + " " + v.oneLine(p.Title, 60)
	if p.TurnID != "" {
		line += ": " + v.oneLine(p.TurnID, 12) + " " + v.oneLine(string(p.TurnStatus), 20) + v.reason(string(p.Cause))
	}
	if p.Ended != "" {
		line += ", ended: " + v.oneLine(string(p.Ended), 20)
	}
	return line
}
