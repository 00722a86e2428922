package supervisor

import (
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/supervisor/groupsync"
	"github.com/ringmaster-agents/ringmaster/supervisor/outbox"
	"github.com/ringmaster-agents/ringmaster/supervisor/record"
	"github.com/ringmaster-agents/ringmaster/supervisor/retention"
	"github.com/ringmaster-agents/ringmaster/supervisor/trim"
)

// host is the sessions' way up: messages to the supervisor, and the syncer.
type host struct {
	self     Ref
	health   *health
	syncer   *groupsync.Syncer
	recorder *record.Recorder
	trimmer  *trim.Trimmer
	audit    *retention.Audit
	interval bool
	outbox   *outbox.Outbox // nil: there is no Core
}

func (h *host) StartAgent(id string, e session.StartAgent) { h.self.Send(&delayAgent{id, e}) }
func (h *host) CancelStart(id string, incarnation uint32)  { h.self.Send(&cancelStart{id, incarnation}) }
func (h *host) HastenStart(id string)                      { h.self.Send(&hastenStart{id}) }
func (h *host) ToRoot(id string, m session.ChildMessage)   { h.self.Send(&toRoot{id, m}) }
func (h *host) ToSession(id string, m session.Message)     { h.self.Send(&toSession{id, m}) }
func (h *host) AdoptChild(parent string, c session.AdoptChild) {
	h.self.Send(&adoptChild{parent, c})
}
func (h *host) Offers(id string, o session.Offers) { h.self.Send(&offered{id, o}) }
func (h *host) Announce(s session.Summary)         { h.self.Send(&announced{s}) }

// Reopen takes the checkpoint away: also a daemon that is killed before the session is opened again is to read all of the log.
func (h *host) Reopen(id string, newest uint64) {
	h.recorder.PutCheckpoint(id, record.Checkpoint{})
	h.self.Send(&reopen{id, newest})
}

func (h *host) Checkpoint(id string, at store.Place, state []byte) {
	h.recorder.PutCheckpoint(id, record.Checkpoint{Place: at, State: state})
}

// Trim waits for Core: what is dropped here and is not there yet would be nowhere.
func (h *host) Trim(id string, t session.Trim) {
	if !h.outbox.Keeps(id, &t) {
		h.trimmer.Want(id, t)
	}
}

func (h *host) Shown(id string, log store.Log, seq uint64, w bool) { h.outbox.Shown(id, log, seq, w) }

func (h *host) Trimmed(id string, oldest uint64, bytes int64, err error) {
	h.audit.Trimmed(id, oldest, bytes, err)
}

func (h *host) Sync(id string, j store.Writer, seq uint64, to session.Ref) {
	h.syncer.Want(id, groupsync.Work{Journal: j, Seq: seq, To: to})
}

func (h *host) Appended(id string, j store.Writer, to session.Ref, events int, err error) {
	if err != nil {
		h.health.writeErrors.Add(1)
		return
	}
	h.health.events.Add(uint64(events))
	if h.interval {
		h.syncer.Note(id, groupsync.Work{Journal: j, To: to})
	}
}
