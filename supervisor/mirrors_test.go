package supervisor_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/core"
	corememory "github.com/ringmaster-agents/ringmaster/actors/core/memory"
	"github.com/ringmaster-agents/ringmaster/actors/mirror"
	"github.com/ringmaster-agents/ringmaster/actors/ring"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor/elsewhere"
	"go.uber.org/zap"
)

// positioned counts what Core is asked for one by one.
type positioned struct {
	core.Core
	positions *atomic.Int64
}

func (a positioned) Positions(ctx context.Context, ids []string) ([]core.Position, error) {
	a.positions.Add(int64(len(ids)))
	return a.Core.Positions(ctx, ids)
}

// feeding is the way to a node in the same process.
type feeding struct {
	to   *node
	gone atomic.Bool
	open atomic.Int64
}

var errGone = errors.New("its lease has run out")

func (f *feeding) Reaches(context.Context, string) error {
	if f.gone.Load() {
		return errGone
	}
	return nil
}

func (f *feeding) Follow(ctx context.Context, node, id string, since protocol.Cursor, take func(*mirror.News) error) error {
	if err := f.Reaches(ctx, node); err != nil {
		return err
	}
	f.open.Add(1)
	defer f.open.Add(-1)
	ref, err := f.to.Supervisor.Find(ctx, id)
	if err != nil {
		return err
	}
	r, err := ask.Ask(ctx, ref, func(r ask.Reply[*session.Reader]) session.Message { return &session.Join{Reply: r, Name: "mirror"} })
	if err != nil {
		return err
	}
	defer r.Leave()
	for at := since.Seq; ; {
		n := &mirror.News{Epoch: r.Ring.Epoch(), First: at + 1}
		frames, last, ok := r.Frames(at)
		if !ok {
			return errGone
		}
		for ; len(frames) > 0; n.Count++ {
			var line []byte
			_, line, frames = ring.Cut(frames)
			n.Lines = append(append(n.Lines, line...), '\n')
		}
		at = last
		if err := take(n); err != nil {
			return err
		}
		if err := r.WaitUntil(ctx, at, nil); err != nil {
			return err
		}
	}
}

func (f *feeding) Lines(context.Context, string, string, protocol.Cursor, uint64) ([]byte, error) {
	return nil, errGone
}

// TestIdleMirrorsAskCoreNothing: of sessions of another node that somebody follows Core is not asked again and again while that node tells of them. Once Core
// does not take it for alive, Core is asked, until the node is back.
//
// Proves: I16.7/mirror-idle
func TestIdleMirrorsAskCoreNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		place, count := new(corememory.Place), new(atomic.Int64)
		a := startNode(t, 'a', t.TempDir(), place, 0)
		c := startCored(t, t.TempDir(), place, nil)
		b := &node{c, elsewhere.Begin(c.Supervisor, elsewhere.Config{
			Connect:  func(context.Context) (core.Core, error) { return positioned{place.Core(), count}, nil },
			Removing: c.cfg.Outbox.IsLeaving, Log: zap.NewNop(),
		})}
		f := &feeding{to: a}
		elsewhere.Through(b.all, f)
		var ids []string
		for range 100 {
			ids = append(ids, a.create().ID)
		}
		a.turn(ids[0])
		settle()
		var readers []*session.Reader
		for _, id := range ids {
			readers = append(readers, b.reader(id))
		}
		settle()
		time.Sleep(2 * time.Minute) // of the bubble; nobody looks at the list any more
		begun := count.Load()
		time.Sleep(10 * time.Minute)
		looks := int64(10*60/30 + 1) // at the list, which asks where those are that are at work
		if n := count.Load() - begun; n > looks*int64(len(ids)) || f.open.Load() != 100 {
			t.Errorf("Core was asked for %d positions in ten minutes, %d are fed", n, f.open.Load())
		}
		r := readers[0]
		head := func(what string, want uint64) {
			t.Helper()
			if got := r.Ring.Head(); got != want || r.Ring.State() != ring.Open {
				t.Fatalf("%s: shown up to %d, want %d", what, got, want)
			}
		}
		turn := func() uint64 {
			seq := a.prompt(ids[0], "more").Cursor.Seq
			a.until(ids[0], seq, protocol.TypeTurnEnd)
			synctest.Wait()
			return a.reader(ids[0]).Ring.Head()
		}
		head("at once", turn())
		f.gone.Store(true)
		time.Sleep(2 * time.Second)
		if f.open.Load() != 0 {
			t.Fatal("it is believed still")
		}
		now := turn()
		time.Sleep(2 * time.Second)
		head("by Core", now)
		f.gone.Store(false)
		time.Sleep(10 * time.Second)
		head("at once again", turn())
		for _, r := range readers {
			r.Leave()
		}
		time.Sleep(time.Minute)
		if f.open.Load() != 0 {
			t.Errorf("%d are fed for nobody", f.open.Load())
		}
		b.end()
		a.end()
	})
}
