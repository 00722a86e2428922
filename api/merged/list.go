package merged

import (
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/ring"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
	"github.com/ringmaster-agents/ringmaster/supervisor/roster"
)

// listEvery is the least time between two looks at the list: a session is told of at most four times a second.
const listEvery = 250 * time.Millisecond

// list follows the list of sessions, and the sessions in it.
type list struct {
	reader
	bell     *ring.Bell // nil: the list is not followed
	changed  bool       // since listed
	listed   time.Time
	revision uint64
}

// begin tells the list, where it is wanted, and begins to follow the sessions.
func (l *list) begin() {
	l.listed = time.Now()
	if !l.want.follows() {
		l.beginNamed()
		return
	}
	l.bell = l.line.bells.New()
	l.roster.Hang(l.bell) // before the first look
	all, now, _ := l.roster.Since(0)
	l.revision = now
	known := l.tellSince()
	for _, x := range all {
		l.meet(x, known)
	}
	for id := range l.want.cursors {
		if x := l.roster.Find(id); x == nil || !l.roster.Within(x) {
			l.tellGone(id, resource.GoneNotFound)
		}
	}
	if l.want.roster {
		l.out.signal(resource.RosterComplete{Type: protocol.TypeRosterComplete, Revision: l.roster.Name(now)})
	}
}

// beginNamed begins to follow the sessions that are named, and no others.
func (l *list) beginNamed() {
	for id := range l.want.cursors {
		if x := l.roster.Find(id); x != nil && l.wanted(x) {
			l.follow(x, l.want.start(x))
		} else {
			l.tellGone(id, resource.GoneNotFound)
		}
	}
}

// tellSince tells a client that has a list what of it is gone since, or does not match any more, and gives that list's revision; 0: it has none, or it is not
// known any more what is gone. A session that has changed and does not match may never have been on the client's list.
func (l *list) tellSince() (known uint64) {
	n, ok := l.want.known(l.roster)
	if !ok {
		return 0
	}
	changed, _, ok := l.roster.Since(n)
	if !ok {
		return 0
	}
	for _, x := range changed {
		switch {
		case !l.roster.Within(x):
		case x.Gone:
			l.tellGone(x.ID, resource.GoneNotFound)
		case !l.wanted(x):
			l.tellGone(x.ID, resource.GoneDeselected)
		}
	}
	return n
}

// meet begins with a session that is there when the stream begins. What the client has of the list, up to a revision, is not told again.
func (l *list) meet(x *roster.Session, known uint64) {
	if !l.wanted(x) {
		return
	}
	if l.want.roster {
		l.shown[x.ID] = struct{}{}
		if x.Revision > known {
			l.tellSession(x)
		}
	}
	if l.want.logs() {
		l.follow(x, l.want.start(x))
	}
}

// look takes what has changed in the list.
func (l *list) look(now time.Time) {
	l.changed, l.listed = false, now
	changed, revision, ok := l.roster.Since(l.revision)
	if !ok { // more has gone since than the list remembers
		changed = l.missing()
	}
	l.revision = revision
	for _, x := range changed {
		switch {
		case l.wanted(x) && !x.Gone:
			if l.want.roster {
				l.shown[x.ID] = struct{}{}
				l.tellSession(x)
			}
			if l.want.logs() && l.feeds[x.ID] == nil {
				l.follow(x, l.want.later(x.ID))
			}
		case x.Gone:
			l.drop(x.ID, resource.GoneNotFound)
		default:
			l.drop(x.ID, resource.GoneDeselected)
		}
	}
}

// missing is what there is now, and what of this stream is not there any more.
func (l *list) missing() []*roster.Session {
	all, _, _ := l.roster.Since(0)
	there := make(map[string]struct{}, len(all))
	for _, x := range all {
		there[x.ID] = struct{}{}
	}
	add := func(id string) {
		if _, ok := there[id]; !ok {
			there[id] = struct{}{}
			all = append(all, roster.Missing(id))
		}
	}
	for id := range l.shown {
		add(id)
	}
	for id := range l.feeds {
		add(id)
	}
	return all
}

// wanted says that a session is of this stream.
func (l *list) wanted(x *roster.Session) bool {
	return l.roster.Within(x) && l.want.selects(l.roster, x)
}

// drop takes a session out of the stream that is gone, or does not match any more. Of others it says nothing.
func (l *list) drop(id string, why resource.GoneReason) {
	_, shown := l.shown[id]
	f := l.feeds[id]
	if !shown && f == nil {
		return
	}
	delete(l.shown, id)
	if f != nil {
		l.forget(f)
	}
	l.tellGone(id, why)
}

func (l *list) tellSession(x *roster.Session) {
	l.out.signal(resource.SessionChanged{Type: protocol.TypeSession, Session: l.Summary(x.Summary())})
}

// close leaves the list and every session.
func (l *list) close() {
	if l.bell != nil {
		l.roster.Unhang(l.bell)
	}
	l.reader.close()
}
