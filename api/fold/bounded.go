package fold

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Bounded is the state at an event, of which there is no more than is wanted: where that is less than there is, left is not nil, and has how many elements
// each list has lost, by its name. Of a small log it is whole.
func (s *States) Bounded(ctx context.Context, r *session.Reader, at uint64, most Bounds) (body []byte, left map[string]int, err error) {
	if at == 0 {
		var none protocol.SessionState
		return none.AppendJSON(nil), nil, nil
	}
	state, err := afresh(ctx, at, func() (*folded, error) {
		oldest, _ := r.Log.Bounds()
		if at+1 < oldest {
			return nil, &store.GoneError{Oldest: oldest}
		}
		size, err := logSize(r.Log, oldest-1, at)
		if err != nil {
			return nil, err
		}
		if size < s.memory.Large {
			return s.fold(ctx, r, at)
		}
		return s.make(ctx, r, at, Page{Entries: most.Items}, func(f *folded, part protocol.StatePart) error {
			left = f.bound(most, part.Told)
			return nil
		})
	})
	if err != nil {
		return nil, nil, tell(err)
	}
	defer state.close()
	var out bytes.Buffer
	if err := state.send(&out); err != nil {
		return nil, nil, tell(err)
	}
	if !state.cut {
		left = nil
	}
	return out.Bytes(), left, nil
}

// tell makes a problem of events that have gone.
func tell(err error) error {
	var gone *store.GoneError
	if !errors.As(err, &gone) {
		return err
	}
	return protocol.NewProblem(protocol.CodeCursorReset, fmt.Sprintf("The events up to this cursor have gone: the oldest one that is kept is %d.", gone.Oldest),
		"Leave at out for the state of now.")
}

// Bounds are of a state that is not to be long.
type Bounds struct {
	Text    int                                // bytes of each text; 0: all
	Items   int                                // of each list
	Shorten func(text string, most int) string // says how a text that is longer is cut
}

// bound leaves of each list its last elements, says how many others there were of those that the log has told of, and has texts cut.
func (f *folded) bound(most Bounds, told protocol.Told) (left map[string]int) {
	f.most, left = most, map[string]int{}
	last(left, "turns", &f.state.Turns, most.Items, told.Turns)
	last(left, "entries", &f.state.Entries, most.Items, told.Entries)
	last(left, "requests", &f.state.Requests, most.Items, told.Requests)
	last(left, "children", &f.state.Children, most.Items, len(f.state.Children))
	f.cut = len(left) > 0
	return left
}

func last[T any](left map[string]int, name string, list *[]T, n, of int) {
	if more := len(*list) - n; more > 0 {
		*list = (*list)[more:]
	}
	if more := of - len(*list); more > 0 {
		left[name] = more
	}
}
