package supervisor

import "github.com/ringmaster-agents/ringmaster/supervisor/record"

// note has session.json written, unless the one that is there stays.
func (s *state) note(x *member) {
	if !x.unread() {
		s.recorder.Put(x.summary.ID, s.recordOf(x))
	}
}

// unread says that there is a session.json of which nobody here knows what it holds: a newer build wrote it, or the disk does not give it back.
func (x *member) unread() bool { return record.Unread(x.refuse) }

func (s *state) recordOf(x *member) record.Record {
	return record.Record{
		Version: record.Version, Summary: record.Summary(x.summary), Boot: x.boot, Durability: string(x.durability), Incarnation: x.incarnation,
		Synced: x.least, Untold: x.untold, Endpoint: (*record.Endpoint)(x.endpoint),
		Open: x.pid != nil && !x.summary.Status.State.Ended() && (x.link != nil || x.wanted > 0 || x.summary.Status.State.Busy()),
	}
}

// weaken sees to it, before a session is written less safely than it was, that a start after a loss of power knows of it. safe waits for that, in
// the session's own goroutine.
func (s *state) weaken(x *member) (safe func()) {
	if x.durability != DurableAlways || s.cfg.Durability == DurableAlways || x.unread() {
		return func() {}
	}
	id, recorder := x.summary.ID, s.recorder
	x.durability = s.cfg.Durability
	recorder.PutSafely(id, s.recordOf(x))
	return func() { recorder.Wait(id) }
}
