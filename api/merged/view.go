package merged

import (
	"github.com/ringmaster-agents/ringmaster/actors/ring"
	"github.com/ringmaster-agents/ringmaster/api/reading"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// event sends what the view shows of an event.
func (r *reader) event(f *feed, cursor, line []byte) {
	switch r.want.view {
	case resource.ViewItems:
		e, err := protocol.Decode(line)
		if err != nil {
			return // of another build: it gives no item
		}
		if item, ok := f.items.Item(&e); ok {
			item.SessionID = f.id
			r.out.signal(resource.SessionItem{Type: protocol.TypeItem, SessionID: f.id, Cursor: string(cursor), Item: resource.Item{SessionEvent: item}})
		}
		return
	case resource.ViewSettled:
		if t, _ := reading.LineHead(line); t == protocol.TypeEntryDelta {
			return
		}
	case resource.ViewStatus:
		if t, _ := reading.LineHead(line); !inStatus[t] {
			return
		}
	case resource.ViewFull:
	}
	r.out.event(f.id, cursor, line)
}

// inStatus are the events that say what a session does.
var inStatus = map[protocol.Type]bool{
	protocol.TypeSessionStart: true, protocol.TypeSessionEnd: true, protocol.TypeEpoch: true, protocol.TypeStatus: true, protocol.TypeBudget: true,
	protocol.TypeTurnStart: true, protocol.TypeTurnEnd: true, protocol.TypeRequestOpened: true, protocol.TypeRequestResolved: true,
	protocol.TypeChildSession: true,
}

// overflow sends what texts have beyond what the log keeps of them.
func (r *reader) overflow(f *feed) (some bool) {
	for frames := f.reader.Overflow(f.at.Seq); len(frames) > 0; some = true {
		var line []byte
		line, frames = ring.CutOverflow(frames)
		if r.want.view == resource.ViewFull {
			r.out.overflow(f.id, line)
		}
	}
	return some
}
