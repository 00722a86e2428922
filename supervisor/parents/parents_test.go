package parents

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor/roster"
)

// world is what there is to be told.
type world struct {
	list        *roster.Roster
	mu          sync.Mutex                // guards the rest
	states      map[string]protocol.State // of sessions on other nodes; one that has none is nobody's
	unread      map[string]bool           // it is not known of them
	hangs       map[string]bool
	asked, over []string
}

func newWorld() *world {
	return &world{list: roster.New(), states: map[string]protocol.State{}, unread: map[string]bool{}, hangs: map[string]bool{}}
}

func (w *world) begin() *Parents {
	return Begin(Config{List: w.list, Look: w.look, Over: func(ids []string) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.over = append(w.over, ids...)
	}})
}

func (w *world) look(ctx context.Context, id string) (sum session.Summary, err error) {
	if w.hangs[id] { // which does not change
		<-ctx.Done()
		return sum, ctx.Err()
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.asked = append(w.asked, id)
	state, is := w.states[id]
	switch {
	case w.unread[id]:
		err = protocol.NewProblem(protocol.CodeUnavailable, "Core does not answer.", "")
	case !is:
		err = protocol.NewProblem(protocol.CodeSessionNotFound, "No session has this id.", "")
	}
	sum.Status.State = state
	return sum, err
}

// here puts a session of this node into the list.
func (w *world) here(id, parent string, change func(*session.Summary)) {
	sum := &session.Summary{ID: id, ParentSessionID: parent, Spawned: true, Status: protocol.Status{State: protocol.StateIdle}}
	if change != nil {
		change(sum)
	}
	w.list.Put(sum, nil, false)
}

// after gives, in order, what was asked for by the end of another look, and what was said to be over.
func (w *world) after() (asked, over []string) {
	w.mu.Lock()
	w.over, w.asked = nil, nil
	w.mu.Unlock()
	time.Sleep(every)
	synctest.Wait()
	w.mu.Lock()
	defer w.mu.Unlock()
	slices.Sort(w.asked)
	slices.Sort(w.over)
	return w.asked, w.over
}

// TestParents: what has ended on another node is told at once, and what nobody has at the second look, unless it is somebody's in between, or nobody can tell.
//
// Proves: I16.6/families
func TestParents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		w.states["ended"], w.states["works"], w.unread["unread"] = protocol.StateTerminated, protocol.StateResponding, true
		for _, parent := range []string{"ended", "gone", "comes", "unread", "works"} {
			w.here("below "+parent, parent, nil)
		}
		p := w.begin()
		for n, c := range []struct {
			change func()
			want   []string
		}{
			{func() {}, []string{"ended"}},
			{func() { w.here("comes", "", nil); w.list.Remove("below ended") }, []string{"gone"}},
			{func() { w.list.Leave("comes") }, []string{"gone"}}, // which is still there to be ended
			{func() { w.unread["comes"] = true }, []string{"gone"}},
			{func() { delete(w.unread, "comes"); delete(w.states, "works") }, []string{"gone"}},
			{func() { w.here("below gone", "gone", ended) }, []string{"comes", "works"}},
		} {
			w.mu.Lock()
			c.change()
			w.mu.Unlock()
			if _, got := w.after(); !slices.Equal(got, c.want) {
				t.Errorf("look %d: %v are over, want %v", n, got, c.want)
			}
		}
		p.Close()
		if asked, _ := w.after(); len(asked) > 0 {
			t.Errorf("%v are asked for behind the end", asked)
		}
	})
}

func ended(x *session.Summary) { x.Status.State = protocol.StateTerminated }

// TestWhoseParents: it is asked for those with which a session of this node is to end, and not where its log takes no end.
func TestWhoseParents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		w.here("spawned", "1", nil)
		w.here("a sub-agent", "2", func(x *session.Summary) { x.Spawned, x.SubAgent = false, true })
		w.here("only below", "3", func(x *session.Summary) { x.Spawned = false })
		w.here("ended", "4", ended)
		w.here("below nobody", "", nil)
		w.here("read-only", "5", func(x *session.Summary) { x.ReadOnly = true })
		w.here("damaged", "6", func(x *session.Summary) { x.Damage = new(protocol.Damage) })
		w.list.PutAway(&session.Summary{ID: "of another node", ParentSessionID: "7", Spawned: true})
		w.here("below one that is here", "spawned", nil)
		w.here("another of the same", "1", nil)
		p := w.begin()
		defer p.Close()
		if asked, _ := w.after(); !slices.Equal(asked, []string{"1", "2"}) {
			t.Errorf("%v are asked for", asked)
		}
		for n := range 5000 { // more than are known when they are gone
			w.here(fmt.Sprint("gone ", n), "1", nil)
			w.list.Remove(fmt.Sprint("gone ", n))
		}
		w.list.Remove("a sub-agent")
		if asked, _ := w.after(); !slices.Equal(asked, []string{"1"}) {
			t.Errorf("%v are asked for once much has changed", asked)
		}
	})
}

// TestManyParents: a look asks for so many, and all have their turn, also where one does not answer.
func TestManyParents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const all = 2*askedOnce + 50
		w := newWorld()
		for i := range all {
			w.here(fmt.Sprint(i), fmt.Sprintf("above %03d", i), nil)
		}
		w.hangs["above 010"] = true
		p := w.begin()
		defer p.Close()
		known := map[string]bool{}
		for range 8 {
			asked, over := w.after()
			if len(asked) > askedOnce {
				t.Errorf("a look asks for %d", len(asked))
			}
			for _, id := range over {
				known[id] = true
			}
		}
		if len(known) != all-1 {
			t.Errorf("%d of %d are known to be over", len(known), all)
		}
	})
}
