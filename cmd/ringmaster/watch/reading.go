package watch

import (
	"slices"

	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/notice"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// Told is what comes of one event: a notice, or no more than that the session was read so far.
type Told struct {
	Session string
	At      protocol.Cursor // the position behind the event
	Gone    bool            // there is no such session any more
	Notice  *notice.Notice  // nil: there is nothing to tell
}

// reading is how far each session was read. It is pure.
type reading struct {
	kinds []notice.Kind
	at    map[string]protocol.Cursor // also of sessions that are not followed: what came before it is told of none
	about map[string]notice.About
	ended map[string]bool // the last event was the end
}

func newReading(kinds []notice.Kind, at map[string]protocol.Cursor) *reading {
	return &reading{kinds: kinds, at: at, about: map[string]notice.About{}, ended: map[string]bool{}}
}

// listed takes a session as the list has it.
func (r *reading) listed(s *resource.SessionSummary) {
	if _, known := r.ended[s.ID]; !known {
		r.ended[s.ID] = s.Status.State.Ended()
	}
	r.about[s.ID] = notice.About{SessionID: s.ID, Agent: s.Agent, Title: s.Title, ParentSessionID: s.ParentSessionID}
}

// since is where a session is read on; false: from its first event.
func (r *reading) since(id string) (protocol.Cursor, bool) {
	at, known := r.at[id]
	return at, known && !at.Start()
}

// event takes an event whose cursor is at; false: it was told before. What stands in a log that has lost events is told from the loss on, however low its
// numbers are.
func (r *reading) event(id string, at protocol.Cursor, e *protocol.Event) (Told, bool) {
	before := r.at[id]
	if start, is := e.Payload.(*protocol.SessionStart); is {
		r.about[id] = notice.About{SessionID: id, Agent: start.AgentBackend, Title: start.Metadata.Title, ParentSessionID: start.Metadata.ParentSessionID}
	}
	_, ended := e.Payload.(*protocol.SessionEnd)
	loss, is := e.Payload.(*protocol.Epoch)
	anew := is && before.Seq > 0 && loss.Epoch > before.Epoch
	if e.Seq <= before.Seq && !anew {
		r.ended[id] = ended
		return Told{}, false
	}
	r.at[id], r.ended[id] = at, ended
	told := Told{Session: id, At: at}
	if kind, what, ok := notice.Of(e); ok && slices.Contains(r.kinds, kind) {
		told.Notice = r.notice(id, kind, e.Time, at, what)
	}
	return told, true
}

// reset takes what the server says of a position that is not of its log: events may have been dropped before they were told.
func (r *reading) reset(id string, epoch, oldest uint64, now int64) (Told, bool) {
	before := r.at[id]
	if oldest == 0 || before.Seq == 0 || oldest-1 <= before.Seq {
		return Told{}, false
	}
	at := protocol.Cursor{Epoch: max(epoch, 1), Seq: oldest - 1}
	r.at[id] = at
	return Told{Session: id, At: at, Notice: r.notice(id, notice.EventsMissed, now, at, notice.Missed{From: before.String(), To: at.String()})}, true
}

// gone takes that there is no such session any more.
func (r *reading) gone(id string, now int64) (Told, bool) {
	about, known := r.about[id]
	told := Told{Session: id, At: r.at[id], Gone: true}
	if known && !r.ended[id] && slices.Contains(r.kinds, notice.SessionEnded) {
		about.Cursor = ""
		told.Notice = &notice.Notice{Kind: notice.SessionEnded, Time: now, About: about, What: notice.End{Deleted: true}}
	}
	delete(r.at, id)
	delete(r.about, id)
	delete(r.ended, id)
	return told, known
}

func (r *reading) notice(id string, kind notice.Kind, at int64, cursor protocol.Cursor, what notice.What) *notice.Notice {
	about := r.about[id]
	about.SessionID, about.Cursor = id, cursor.String()
	return &notice.Notice{Kind: kind, Time: at, About: about, What: what}
}
