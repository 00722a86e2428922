package board

import (
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/asked"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/desk"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/needs"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/reason"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/terminal"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// dialog is an answer to a request of a session.
type dialog struct {
	*asked.Dialog

	session string
	agent   string
	reason  string // why a person is asked
	call    *protocol.ToolCallData
	reading bool   // the call is on its way
	missing string // why the call could not be read; empty: it could
	top     int    // the first line of it that is shown
	seen    int    // up to which line somebody has seen it
	warned  bool   // somebody has seen that there is more of it
	cut     bool   // it is the beginning of what is asked: the rest is nowhere on this screen

	lines []string // what it is about, for
	wide  int      // this width
}

// newDialog begins to answer a request; wishes ask for the call that it is about.
func newDialog(q resource.InboxRequest, p *protocol.Policy) (d *dialog, wishes []desk.Wish) {
	d = &dialog{Dialog: asked.NewDialog(q.Request), session: q.SessionID, agent: q.Agent, reason: reason.Asked(&q.Request, p)}
	if q.Request.EntryID != "" {
		d.reading = true
		wishes = append(wishes, desk.ReadCall{Session: q.SessionID, Request: q.Request.RequestID, Entry: q.Request.EntryID, Cursor: q.Cursor})
	}
	return d, wishes
}

func (d *dialog) key() string { return needs.Key(d.session, d.Request.RequestID) }

// what is what it is about, in lines that are made once for a width.
func (d *dialog) what(style terminal.Style, columns int) []string {
	if d.lines == nil || d.wide != columns {
		a := asked.Asked{Agent: d.agent, Request: d.Request, Call: d.call, Reason: d.reason}
		d.lines, d.cut = a.Lines(style, columns)
		d.wide, d.seen = columns, 0
		if d.reading {
			d.lines = append(d.lines, style.Dim(one("reading the call that it is about…", columns)))
		}
		if d.missing != "" {
			d.lines = append(d.lines, style.Bad(one("The call that it is about is not known: "+d.missing, columns)))
		}
	}
	return d.lines
}

// called takes the call that a request is about; a nil dialog and one of another request do not.
func (d *dialog) called(n desk.Called) {
	if d != nil && d.session == n.Session && d.Request.RequestID == n.Request {
		d.call, d.missing, d.reading, d.lines = n.Call, n.Err, false, nil
	}
}

// drawn says that so many rows of it are on the screen now. What was passed over without a picture of it was not seen.
func (d *dialog) drawn(rows int) {
	if d.top <= d.seen {
		d.seen = max(d.seen, min(d.top+rows, len(d.lines)))
	}
}

// unseen says that there is something of it that nobody has seen.
func (d *dialog) unseen() bool {
	return d.reading || d.missing != "" || d.cut || d.seen < len(d.lines)
}

// blind is what somebody is told who allows what is unseen.
func (d *dialog) blind() string {
	switch {
	case d.reading:
		return "The call that it is about is still being read. Press it again to allow all the same."
	case d.missing != "":
		return "The call that it is about could not be read. Press it again to allow all the same."
	case d.cut && d.seen == len(d.lines):
		return "This is only the beginning of it: the rest is left out. Press it again to allow all the same."
	default:
		return "You have not seen all of it: PgDn shows more. Press it again to allow all the same."
	}
}

// sending are requests and prompts on their way, by their keys, and how they are told.
type sending map[string]string

// first is what a row has waited for longest and nobody has answered.
func (s sending) first(row *needs.Row) resource.InboxRequest {
	for _, q := range row.Requests {
		if s[needs.Key(q.SessionID, q.Request.RequestID)] == "" {
			return q
		}
	}
	return row.Requests[0]
}

// settle lets go of answers whose requests are over.
func (s sending) settle(roster *needs.Roster) {
	for key := range s {
		if session, request, is := needs.SplitKey(key); is {
			if _, open := roster.Request(session, request); !open {
				delete(s, key)
			}
		}
	}
}
