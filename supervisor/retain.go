package supervisor

import (
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/raw"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor/core"
	"github.com/ringmaster-agents/ringmaster/supervisor/folder"
	"github.com/ringmaster-agents/ringmaster/supervisor/record"
	"github.com/ringmaster-agents/ringmaster/supervisor/retention"
)

// retainer is the part of the supervisor's shell that removes what need not be kept.
type retainer struct {
	*retention.Audit
	yard  retention.Yard
	timer *time.Timer // of the newest RetainLater; nil: there was none
}

func (r *retainer) stop() {
	if r.timer != nil {
		r.timer.Stop()
	}
}

func (r *retainer) later(e core.RetainLater, self Ref) {
	r.stop()
	r.timer = time.AfterFunc(e.After, func() { self.Send(&retain{}) })
}

// measure measures sessions, and the disk.
func (r *retainer) measure(e core.Measure, self Ref) {
	yard := r.yard
	go func() { // ends with the sizes, for which the drain waits
		m := &measured{free: folder.Free(yard.Data.Root)}
		for _, id := range e.IDs {
			m.sizes = append(m.sizes, yard.Size(id))
		}
		self.Send(m)
	}()
}

// drop removes a session's native lines. An agent that starts meanwhile writes behind them, into the same archive.
func (r *retainer) drop(e core.DropArchive, archive *raw.Archive, self Ref) {
	go func() { // ends with the removal, for which the drain waits
		err := archive.Drop()
		r.Dropped(e, err)
		self.Send(&dropped{e.ID, err == nil})
	}()
}

// onceNoted answers a pin once the newest record of a session is on the disk, or cannot be.
func onceNoted(m Message, id string, recorder *record.Recorder) {
	pin, is := m.(*Pin)
	if !is {
		return
	}
	go func() { // ends with the write
		if err := recorder.Wait(id); err != nil { // the recorder has logged it
			pin.Fail(&protocol.Problem{
				Code: protocol.CodeReadOnly, Detail: "The data folder does not take whether the session is pinned: it holds until the daemon ends.",
				Hint: "Free space on the disk of the daemon's data folder, and ask again.",
			})
			return
		}
		pin.Send(session.Done{})
	}()
}
