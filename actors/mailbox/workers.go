package mailbox

import (
	"sync"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/asynkron/protoactor-go/extensions"
)

const (
	throughput = 300 // messages of one actor before it lets others run: the engine's own figure
	maxIdle    = 64
	idleTime   = 100 * time.Millisecond
)

// workers run actors on goroutines that are used again. An actor that gets one message at a time would have a new goroutine for each, whose
// stack is small and is grown, and copied, on the way to the journal: a sixth of what a paced event costs in the session. A worker without
// work ends after idleTime.
type workers struct {
	mu    sync.Mutex
	idle  []*worker // guarded by mu; the one that worked last is the next to work, so that the others can end
	ended bool      // guarded by mu: none waits any more
}

type worker struct{ next chan func() } // nil, where it is closed: the worker ends

var workersID = extensions.NextExtensionID()

// ExtensionID makes workers an extension of the engine, which is where mailboxes find them.
func (*workers) ExtensionID() extensions.ExtensionID { return workersID }

// Reuse lets the actors of a system that have this mailbox share goroutines. It is called before the first of them is spawned. After end
// no goroutine waits for work; what still comes gets one of its own.
func Reuse(sys *actor.ActorSystem) (end func()) {
	ws := &workers{}
	sys.Extensions.Register(ws)
	return ws.end
}

// workersOf gives the dispatcher of an actor: the one of its system, or its own where the system has none.
func workersOf(ctx actor.Context, own actor.Dispatcher) actor.Dispatcher {
	if ctx == nil {
		return own
	}
	if w, ok := ctx.ActorSystem().Extensions.Get(workersID).(*workers); ok {
		return w
	}
	return own
}

// Throughput is how many messages an actor works on before others run.
func (*workers) Throughput() int { return throughput }

// Schedule has fn run; it does not wait.
func (ws *workers) Schedule(fn func()) {
	ws.mu.Lock()
	last := len(ws.idle) - 1
	if last < 0 {
		ws.mu.Unlock()
		go ws.work(fn)
		return
	}
	w := ws.idle[last]
	ws.idle[last] = nil
	ws.idle = ws.idle[:last]
	ws.mu.Unlock()
	w.next <- fn // it has room: who takes a worker off the list is the only one to send
}

func (ws *workers) work(fn func()) {
	w := &worker{make(chan func(), 1)}
	rest := time.NewTimer(idleTime)
	defer rest.Stop()
	for {
		fn()
		if !ws.park(w) {
			return
		}
		rest.Reset(idleTime)
		select {
		case fn = <-w.next:
		case <-rest.C:
			if ws.unpark(w) {
				return
			}
			fn = <-w.next // it came at the same time
		}
		if fn == nil { // the end did
			return
		}
	}
}

// park makes a worker wait for work, where there is room.
func (ws *workers) park(w *worker) bool {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	if len(ws.idle) == maxIdle || ws.ended {
		return false
	}
	ws.idle = append(ws.idle, w)
	return true
}

func (ws *workers) end() {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	ws.ended = true
	for _, w := range ws.idle {
		close(w.next)
	}
	ws.idle = nil
}

// unpark takes a worker off the list; false: it is not there any more, as it has been given work.
func (ws *workers) unpark(w *worker) bool {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	for i, other := range ws.idle {
		if other == w {
			ws.idle = append(ws.idle[:i], ws.idle[i+1:]...)
			return true
		}
	}
	return false
}
