package merged

import (
	"strconv"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/reading"
	"github.com/ringmaster-agents/ringmaster/api/selection"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
	"github.com/ringmaster-agents/ringmaster/supervisor/roster"
)

// maxCursors is how many sessions a request names.
const maxCursors = 10_000

// wish is what a stream shall tell of.
type wish struct {
	cursors  map[string]protocol.Cursor
	selected *selection.Selection // nil: by their ids alone
	view     resource.StreamView
	newest   bool // sessions without a cursor begin at their newest event
	roster   bool
	revision string
}

// wishOf checks a request.
func wishOf(r *resource.StreamRequest) (*wish, error) {
	w := &wish{view: r.View, newest: r.Begin == resource.BeginNewest, roster: r.Roster, revision: r.Revision}
	if w.view == "" {
		w.view = resource.ViewFull
	}
	if len(r.Sessions) == 0 && r.Select == nil && !r.Roster {
		return nil, protocol.NewProblem(protocol.CodeInvalidRequest, "The stream has no session.",
			`Name sessions with their cursors in "sessions", choose them with "select" ({} is all), or ask for the "roster" alone.`)
	}
	if len(r.Sessions) > maxCursors {
		return nil, protocol.NewProblem(protocol.CodeInvalidRequest, "The stream names more than "+strconv.Itoa(maxCursors)+" sessions.",
			`Choose them with "select", or open a second stream.`)
	}
	w.cursors = make(map[string]protocol.Cursor, len(r.Sessions))
	for id, text := range r.Sessions {
		if !protocol.ValidSessionID(id) {
			return nil, protocol.NewProblem(protocol.CodeInvalidRequest, "A member of sessions is no session id.",
				"A session id is a UUID in lower case, as lists give it.")
		}
		c, err := reading.Cursor(text)
		if err != nil {
			return nil, err
		}
		w.cursors[id] = c
	}
	if q := r.Select; q != nil {
		chosen, err := selection.Of(q)
		if err != nil {
			return nil, err
		}
		w.selected = chosen
	}
	return w, nil
}

// follows says that sessions may come later, or that the list is told.
func (w *wish) follows() bool { return w.selected != nil || w.roster }

// logs says that events are sent, and not the list alone.
func (w *wish) logs() bool { return w.selected != nil || len(w.cursors) > 0 }

// selects says that a session is meant. Where the list alone is asked for, all are.
func (w *wish) selects(r *access.Roster, x *roster.Session) bool {
	if !w.logs() {
		return true
	}
	if _, named := w.cursors[x.ID]; named {
		return true
	}
	return w.selected != nil && w.selected.Has(r, x)
}

// start is where a session begins that is there when the stream begins.
func (w *wish) start(x *roster.Session) protocol.Cursor {
	if c, ok := w.cursors[x.ID]; ok {
		return c
	}
	if w.newest {
		return x.Cursor()
	}
	return start
}

// later is where a session begins that has come to match.
func (w *wish) later(id string) protocol.Cursor {
	if c, ok := w.cursors[id]; ok {
		return c
	}
	return start
}

var start = protocol.Cursor{Epoch: 1}

// known is the revision that the client has, where it is of this list.
func (w *wish) known(r *access.Roster) (revision uint64, ok bool) {
	if !w.roster {
		return 0, false
	}
	return r.Named(w.revision)
}

// fold is where items begin; nil: the view has none.
func (w *wish) fold() *protocol.Items {
	if w.view == resource.ViewItems {
		return new(protocol.Items)
	}
	return nil
}
