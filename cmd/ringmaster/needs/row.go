package needs

import (
	"cmp"
	"strings"
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// Group is what a person has to do with a session.
type Group int

// The groups, in the order in which they are shown.
const (
	NeedsYou Group = iota
	Failed
	Working
	Idle
	Ended
	groups
)

func (g Group) String() string {
	switch g {
	case NeedsYou:
		return "needs you"
	case Failed:
		return "failed"
	case Working:
		return "working"
	case Idle:
		return "idle"
	case Ended:
		return "ended"
	case groups:
	}
	return ""
}

// Row is one session of the list, with the sessions that live with it: its sub-agents, and those that its agent made.
type Row struct {
	Session  resource.SessionSummary
	Group    Group
	Requests []resource.InboxRequest // its own and those of the sessions below, the longest waiting first
	Below    int

	words string // that a filter finds, without the group; empty: to be made
}

// groupOf says in which group a session is. State says so before the list of requests does.
func groupOf(s *resource.SessionSummary, asks bool) Group {
	switch st := s.Status.State; {
	case asks || st == protocol.StateAwaitingApproval || st == protocol.StateAwaitingInput:
		return NeedsYou
	case st == protocol.StateFailed, st == protocol.StateIdle && s.LastTurn.Failed():
		return Failed
	case st.Ended():
		return Ended
	case st == protocol.StateIdle:
		return Idle
	default:
		return Working
	}
}

// Name is what a session is called.
func Name(s *resource.SessionSummary) string {
	return cmp.Or(strings.TrimSpace(s.Title), strings.TrimSpace(s.FirstPrompt), "without a title")
}

// Why is what a session is at, in a few words of its own.
func (r *Row) Why() string {
	s := &r.Session
	switch {
	case len(r.Requests) > 0:
		return About(&r.Requests[0].Request)
	case s.Status.State == protocol.StateFailed:
		return s.EndError
	case r.Group == Failed:
		return "its turn failed: " + cmp.Or(s.LastTurn.Error, "its agent was lost")
	case s.Status.State == protocol.StateRunningTool:
		return s.Status.ToolName
	case r.Group == Working && s.Status.Stalled:
		return "no output for a while"
	default:
		return strings.ReplaceAll(string(s.Status.State), "_", " ") + At(s)
	}
}

// At says that another node has a session; empty: this one has it.
func At(s *resource.SessionSummary) string {
	if s.Node == "" {
		return ""
	}
	at := ", at " + s.Node[:min(8, len(s.Node))]
	if s.Unreachable {
		at += ", unreachable"
	}
	return at
}

// About says what a request is about: the tool and what it does it to, or the question.
func About(q *protocol.RequestOpened) string {
	title := q.Title
	if q.Subject != "" {
		title, _, _ = strings.Cut(q.Subject, "\n")
	}
	if q.Kind == protocol.RequestApproval && q.ToolName != "" && !strings.HasPrefix(title, q.ToolName) {
		title = q.ToolName + " " + title
	}
	return title
}

// Since is from when on a row counts: the longest waiting request, or the newest event.
func (r *Row) Since() time.Time {
	if len(r.Requests) > 0 {
		return r.Requests[0].OpenedAt
	}
	return r.Session.UpdatedAt
}

// has says whether a row has a word of a filter, which is in lower case.
func (r *Row) has(word string) bool {
	if r.words == "" {
		s := &r.Session
		parts := []string{Name(s), s.Agent, s.Cwd, s.ID, s.Model}
		for k, v := range s.Labels {
			parts = append(parts, k+":"+v)
		}
		r.words = strings.ToLower(strings.Join(parts, " "))
	}
	return strings.Contains(r.words, word) || strings.Contains(r.Group.String(), word)
}
