package merged

import (
	"context"
	"sync"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/api/control"
	"github.com/ringmaster-agents/ringmaster/api/reading"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// maxJoins is how many sessions a stream asks at once. Of more, the others are read meanwhile.
const maxJoins = 8

// joins ask sessions for their reading sides, beside the stream: a session may have to be taken up first.
type joins struct {
	ctx     context.Context
	door    *control.Door
	fold    func() *protocol.Items // where the items of a log begin; nil: the view has none
	mu      sync.Mutex
	queue   []join
	workers int
	all     sync.WaitGroup
}

// join is one question.
type join struct {
	feed    *feed
	at      protocol.Cursor
	doubted *session.Reader // that has found the journal to be otherwise than it was written
	doubt   error           // how; nil: it has not
}

func (j *joins) add(x join) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.queue = append(j.queue, x)
	if j.workers < maxJoins {
		j.workers++
		j.all.Go(j.work) // ends when there is nothing to ask, or with the stream's context
	}
}

func (j *joins) next() (x join, ok bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if len(j.queue) == 0 {
		j.workers--
		return join{}, false
	}
	x, j.queue[0] = j.queue[0], join{}
	j.queue = j.queue[1:]
	return x, true
}

func (j *joins) work() {
	for {
		x, ok := j.next()
		if !ok {
			return
		}
		a := j.reach(x)
		x.feed.arrived.Store(a)
		x.feed.bell.Ring()
	}
}

func (j *joins) wait() { j.all.Wait() }

// reach gives the reading side of a session, and of the view items the fold up to where it begins.
func (j *joins) reach(x join) *arrival {
	if x.doubt != nil {
		looked := x.doubted.Doubt(j.ctx, x.doubt)
		x.doubted.Leave()
		if !looked {
			return &arrival{err: x.doubt}
		}
	}
	for again := false; ; again = true {
		r, err := j.door.Follow(j.ctx, x.feed.id, "merged stream")
		if err != nil {
			return &arrival{err: err}
		}
		items, err := j.folded(r, x.at)
		if err == nil {
			return &arrival{reader: r, items: items}
		}
		r.Leave()
		if again || !r.Doubt(j.ctx, err) {
			return &arrival{err: err}
		}
	}
}

// folded is the fold up to where a reader begins; nil: the view wants none.
func (j *joins) folded(r *session.Reader, at protocol.Cursor) (*protocol.Items, error) {
	items := j.fold()
	if items == nil {
		return nil, nil
	}
	since, _, _ := reading.Locate(r, at, r.Ring.Head())
	oldest, _ := r.Log.Bounds()
	err := reading.EachLine(r.Log, oldest-1, since, func(line []byte) error {
		if e, err := protocol.Decode(line); err == nil {
			items.Item(&e)
		}
		return j.ctx.Err()
	})
	return items, err
}
