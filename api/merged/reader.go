package merged

import (
	"errors"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/ring"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/operation"
	"github.com/ringmaster-agents/ringmaster/api/reading"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
	"github.com/ringmaster-agents/ringmaster/supervisor/roster"
)

// turnBytes is how much of one session is sent before the others have their turn. Of the ring a turn is what one of its blocks has, which is about as much.
const turnBytes = 64 << 10

// retryAfter is when a session that cannot be read is asked again, or at the next heartbeat.
const retryAfter = 5 * time.Second

// reader reads the logs of many sessions.
type reader struct {
	*Config
	want   *wish
	out    *output
	roster *access.Roster
	line   line
	joins  joins
	feeds  map[string]*feed
	shown  map[string]struct{} // sessions that the list has told of
	left   int                 // feeds that are neither over nor gone
	later  []*feed             // that cannot be read, in the order in which they are asked again
	beat   time.Time           // the last heartbeat
	moved  []*feed             // since then
}

// follow begins to follow a session.
func (r *reader) follow(x *roster.Session, at protocol.Cursor) {
	f := &feed{id: x.ID, at: at}
	r.line.hang(f)
	r.feeds[f.id] = f
	r.left++
	r.rest(f)
}

// forget ends a feed. One that is joining is let go of when its reading side has come.
func (r *reader) forget(f *feed) {
	r.leave(f)
	r.roster.UnhangFrom(f.id, f.bell)
	if !f.over {
		r.left--
	}
	if f.phase != joining {
		delete(r.line.of, f.bell)
	}
	f.phase = gone
	delete(r.feeds, f.id)
}

// leave gives the reading side back.
func (r *reader) leave(f *feed) {
	if f.reader != nil {
		f.reader.Ring.Unhang(f.bell)
		f.reader.Leave()
		f.reader, f.told = nil, false
	}
}

// rest has the list ring when the session changes, unless there is more of it already.
func (r *reader) rest(f *feed) {
	r.leave(f)
	f.phase = resting
	if !r.roster.HangOn(f.id, f.bell) { // before the look
		r.lost(f)
		return
	}
	r.wake(f)
}

// wake looks whether there is something to read of a session that rests. A session that is live is read on, since not everything that happens in it
// changes the list.
func (r *reader) wake(f *feed) {
	x := r.roster.Find(f.id)
	if x == nil {
		r.lost(f)
		return
	}
	now, ended := x.Cursor(), x.About().Status.State.Ended()
	switch {
	case f.over:
		isMore := now.Epoch == f.at.Epoch && now.Seq > f.at.Seq // else the list may not have the end yet
		isOther := now.Epoch != f.at.Epoch && now != f.listed   // the list is late, or the log is another one: an earlier one, where Core went back
		if isMore || isOther {
			f.listed = now
			r.ask(f, nil)
		}
	case now != f.at && now.Seq+f.at.Seq > 0, x.Live && !ended:
		r.ask(f, nil)
	case ended:
		r.isOver(f)
	}
}

// lost is for a session that is not there any more.
func (r *reader) lost(f *feed) {
	r.forget(f)
	delete(r.shown, f.id)
	r.tellGone(f.id, resource.GoneNotFound)
}

// ask asks for the reading side of a session; arrive takes it. doubt is why its journal may not be as it was written.
func (r *reader) ask(f *feed, doubt error) {
	r.roster.UnhangFrom(f.id, f.bell)
	reader := f.reader
	if doubt != nil { // the reader is needed until the session has looked
		reader.Ring.Unhang(f.bell)
		f.reader = nil
	}
	f.phase = joining
	r.joins.add(join{feed: f, at: f.at, doubted: reader, doubt: doubt})
}

// arrive takes the reading side, or why there is none.
func (r *reader) arrive(f *feed, a *arrival) (more bool) {
	if a.err != nil {
		r.refuse(f, a.err)
		return false
	}
	f.reader, f.items, f.refused, f.phase = a.reader, a.items, "", open
	since, reset, ok := reading.Locate(f.reader, f.at, f.reader.Ring.Head())
	if !ok {
		r.reset(f, reset)
	}
	f.at = f.reader.Cursor(since)
	f.reader.At(since)
	if f.over && since < f.reader.Ring.Head() { // it was revived
		f.over, f.listed = false, protocol.Cursor{}
		r.left++
	}
	f.reader.Ring.Hang(f.bell)
	return true
}

func (r *reader) reset(f *feed, to protocol.Reset) {
	r.out.signal(resource.SessionReset{Type: protocol.TypeReset, SessionID: f.id, Epoch: to.Epoch, Oldest: to.Oldest, Newest: to.Newest, Common: to.Common})
}

// refuse is for a session that cannot be read.
func (r *reader) refuse(f *feed, err error) {
	p := operation.Failure(r.Log, "mergedStream", err).Problem
	if p.Code == protocol.CodeSessionNotFound {
		r.lost(f)
		return
	}
	if p.Code != f.refused {
		f.refused = p.Code
		r.out.signal(resource.SessionRefused{Type: protocol.TypeRefused, SessionID: f.id, Code: p.Code, Detail: p.Detail, Hint: p.Hint})
	}
	f.phase, f.again = waiting, time.Now().Add(min(retryAfter, r.Heartbeat))
	r.later = append(r.later, f)
}

// isOver says that a session has ended and that everything was sent.
func (r *reader) isOver(f *feed) {
	if f.over {
		return
	}
	f.over = true
	r.left--
	r.out.signal(resource.SessionOver{Type: protocol.TypeOver, SessionID: f.id, Cursor: f.at.String()})
}

// advance gives a feed one turn, and says whether there may be more.
func (r *reader) advance(f *feed) (more bool) {
	switch f.phase {
	case resting:
		r.wake(f)
	case joining:
		if a := f.arrived.Swap(nil); a != nil {
			return r.arrive(f, a)
		}
	case open:
		return r.read(f)
	case gone:
		r.abandon(f)
	case waiting:
	}
	return false
}

// abandon gives back the reading side of a feed that came too late.
func (r *reader) abandon(f *feed) {
	if a := f.arrived.Swap(nil); a != nil && a.reader != nil {
		a.reader.Leave()
	}
	delete(r.line.of, f.bell)
}

// read sends what a turn has room for.
func (r *reader) read(f *feed) (more bool) {
	log := f.reader.Ring
	state := log.State() // before the frames: what is published before an end is sent before it
	frames, last, ok := f.reader.Frames(f.at.Seq)
	switch {
	case !ok:
		return r.catchUp(f)
	case len(frames) > 0:
		for len(frames) > 0 {
			var cursor, line []byte
			cursor, line, frames = ring.Cut(frames)
			r.event(f, cursor, line)
		}
		r.move(f, last)
		return true
	case r.overflow(f):
		return true
	case f.reader.Damage != nil && !f.told:
		f.told = true
		r.out.signal(resource.SessionDamage{Type: protocol.TypeDamage, SessionID: f.id, Damage: *f.reader.Damage})
	case state == ring.Ended:
		r.isOver(f)
		r.rest(f)
	case state == ring.Retired:
		r.rest(f)
	}
	return false
}

// catchUp sends from the journal what the ring no longer has.
func (r *reader) catchUp(f *feed) (more bool) {
	err := r.fromJournal(f)
	var lost *store.GoneError
	switch {
	case err == nil:
		return true
	case errors.As(err, &lost): // retention has overtaken this reader
		since, reset, _ := reading.Locate(f.reader, protocol.Cursor{}, f.reader.Ring.Head())
		r.reset(f, reset)
		f.at, f.items = f.reader.Cursor(since), r.want.fold()
		return true
	case f.doubted != f.at.Seq+1 && session.Doubts(err):
		f.doubted = f.at.Seq + 1
		r.ask(f, err)
	default:
		r.leave(f)
		r.refuse(f, err)
	}
	return false
}

func (r *reader) fromJournal(f *feed) error {
	lines, err := store.LinesOf(f.reader.Log, f.at.Seq, f.reader.Ring.Head())
	if err != nil {
		return err
	}
	defer lines.Close()
	var text [48]byte
	for sent := 0; sent < turnBytes && r.out.bad == nil && lines.Next(); sent += len(lines.Line()) {
		at := f.reader.Cursor(lines.Seq())
		r.event(f, at.Append(text[:0]), lines.Line())
		r.move(f, at.Seq)
	}
	return lines.Err()
}

// move notes up to where the session was sent.
func (r *reader) move(f *feed, seq uint64) {
	f.at.Seq = seq
	f.reader.At(seq)
	if !f.moved {
		f.moved = true
		r.moved = append(r.moved, f)
	}
}

// retry asks again for sessions that could not be read.
func (r *reader) retry(now time.Time) {
	for len(r.later) > 0 && !now.Before(r.later[0].again) {
		f := r.later[0]
		r.later[0], r.later = nil, r.later[1:]
		if f.phase == waiting {
			r.ask(f, nil)
		}
	}
}

// heartbeat says how far the sessions were sent that have moved since the last one.
func (r *reader) heartbeat(now time.Time) {
	r.beat = now
	beat := resource.StreamHeartbeat{Type: protocol.TypeHeartbeat, Ts: r.Now().UnixMilli()}
	if len(r.moved) > 0 {
		beat.At = make(map[string]string, len(r.moved))
	}
	for _, f := range r.moved {
		f.moved = false
		if f.phase != gone {
			beat.At[f.id] = f.at.String()
		}
	}
	r.moved = r.moved[:0]
	r.out.signal(beat)
}

// tellGone says that a session is followed no more.
func (r *reader) tellGone(id string, why resource.GoneReason) {
	r.out.signal(resource.SessionGone{Type: protocol.TypeSessionGone, SessionID: id, Reason: why})
}

// close leaves every session.
func (r *reader) close() {
	r.joins.wait()
	for _, f := range r.line.of {
		r.leave(f)
		r.roster.UnhangFrom(f.id, f.bell)
		r.abandon(f)
	}
}
