package topic

import (
	"strconv"
	"strings"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/desk"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/keys"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// queue is the prompts of a session that wait. Their order is the daemon's: what is moved stands where it was until the daemon has said so.
type queue struct {
	session string
	list    []resource.WaitingPrompt
	known   bool
	missing string // why it is not known; empty: it is
	waiting uint64 // seq of the session's newest event for which it was read
	reading bool
	stale   bool   // something has changed while it was being read
	moving  string // the prompt that is being moved or taken out
}

// Queue is the queue of a session.
func Queue(session string) Topic { return &queue{session: session} }

func (q *queue) Title() string { return "prompts that wait" }

// read reads it, or once more when it is there.
func (q *queue) Read() []desk.Wish {
	if q.reading {
		q.stale = true
		return nil
	}
	q.reading, q.stale = true, false
	return []desk.Wish{desk.ListQueue{Session: q.session}}
}

func (q *queue) Take(n desk.News) []desk.Wish {
	switch n := n.(type) {
	case desk.Queue:
		if n.Session != q.session {
			return nil
		}
		q.have(n)
		if q.stale {
			return q.Read()
		}
	case desk.Listed:
		for _, s := range n.Sessions {
			if s.ID == q.session && s.Seq != q.waiting {
				q.waiting = s.Seq
				return q.Read()
			}
		}
	case desk.Lines:
		if n.Session == q.session && changesQueue(n.Events) {
			return q.Read()
		}
	case desk.Done:
		return q.done(n)
	default:
	}
	return nil
}

func (q *queue) have(n desk.Queue) {
	q.reading, q.missing = false, n.Err
	if n.Err == "" {
		q.list, q.known, q.moving = n.Prompts, true, ""
	}
}

func (q *queue) done(n desk.Done) []desk.Wish {
	switch w := n.Wish.(type) {
	case desk.ListQueue: // it was not even tried
		if w.Session == q.session {
			q.have(desk.Queue{Err: n.Err})
		}
	case desk.MovePrompt:
		return q.changed(w.Session, n.Err)
	case desk.CancelPrompt:
		return q.changed(w.Session, n.Err)
	default:
	}
	return nil
}

func (q *queue) changed(session, err string) []desk.Wish {
	if session != q.session {
		return nil
	}
	if err != "" {
		q.moving = ""
	}
	return q.Read()
}

func pictureCount(n int) string {
	if n == 1 {
		return "1 picture"
	}
	return strconv.Itoa(n) + " pictures"
}

func changesQueue(events []*protocol.Event) bool {
	for _, e := range events {
		switch e.Payload.(type) {
		case *protocol.PromptQueued, *protocol.PromptMoved, *protocol.PromptRemoved:
			return true
		default:
		}
	}
	return false
}

func (q *queue) Rows() (list []Row, none string) {
	for i := range q.list {
		p := &q.list[i]
		row := Row{ID: p.PromptID, Text: strings.TrimSpace(p.Text), Nth: i + 1}
		if n := len(p.Images); n > 0 {
			row.Text += " (" + pictureCount(n) + ")"
		}
		switch {
		case p.PromptID == q.moving:
			row.Mark = "on its way"
		case p.Sent || p.Origin != "":
			row.Mark = "with the agent"
		case p.StreamingBehavior == protocol.Steer:
			row.Mark = "into the turn"
		}
		list = append(list, row)
	}
	switch {
	case q.missing != "":
		none = "not known: " + q.missing
	case !q.known:
		none = "reading which prompts wait…"
	default:
		none = "no prompt waits"
	}
	return list, none
}

func (q *queue) Notes() []string {
	if q.missing != "" && len(q.list) > 0 {
		return []string{"not current: " + q.missing}
	}
	return nil
}

func (q *queue) Keys() string {
	return "? keys  ↑↓ choose  K earlier  J later  x take it out  Esc back"
}

func (q *queue) Key(k keys.Key, row *Row, t *Touch) []desk.Wish {
	if row == nil || !k.Is("K", "J", "x") {
		return nil
	}
	at := 0
	for i := range q.list {
		if q.list[i].PromptID == row.ID {
			at = i
		}
	}
	move := desk.MovePrompt{Session: q.session, Prompt: row.ID}
	switch {
	case q.moving != "":
		t.Note = "Wait: another one is on its way."
		return nil
	case q.list[at].Sent || q.list[at].Origin != "":
		t.Note = "The agent has it already: it waits there."
		return nil
	case k.Is("x"):
		if !t.again("x"+row.ID, "Press x again to take it out of the queue.") {
			return nil
		}
		q.moving, t.Note = row.ID, "Taking it out…"
		return []desk.Wish{desk.CancelPrompt{Session: q.session, Prompt: row.ID}}
	case k.Is("K"):
		if at == 0 {
			t.Note = "It is the first one."
			return nil
		}
		move.Before = q.list[at-1].PromptID
	case at == len(q.list)-1:
		t.Note = "It is the last one."
		return nil
	case at+2 < len(q.list):
		move.Before = q.list[at+2].PromptID
	}
	q.moving, t.Note = row.ID, "Moving…"
	return []desk.Wish{move}
}
