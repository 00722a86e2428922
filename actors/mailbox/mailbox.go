// Package mailbox is the mailbox of Ringmaster's actors. It mends four faults of the engine's own mailbox: it does not run before
// its start (a message during the spawn cannot kill the actor), it refuses nil (which would spin a core for ever), it
// passes messages that are still queued when the actor has stopped to dead letters, and it frees the memory of a burst.
//
// The mailbox itself has no bound. Its senders have: adapters hold a window of unconfirmed batches, and the API bounds the
// questions under way.
package mailbox

import (
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/asynkron/protoactor-go/actor"
)

// keep is the largest batch whose memory is used again.
const keep = 32

// New makes mailboxes; it is an actor.MailboxProducer.
func New() actor.Mailbox { return new(mailbox) }

type mailbox struct {
	mu     sync.Mutex
	user   []any // guarded by mu
	system []any // guarded by mu

	users   atomic.Int32
	systems atomic.Int32
	running atomic.Bool
	started atomic.Bool
	dead    atomic.Bool // the actor has stopped

	// Of the goroutine that runs the actor.
	suspended atomic.Bool
	batch     []any
	next      int

	invoker    actor.MessageInvoker
	dispatcher actor.Dispatcher
	ctx        actor.Context
}

func (m *mailbox) PostUserMessage(msg any) {
	if msg == nil {
		return
	}
	m.mu.Lock()
	m.user = append(m.user, msg)
	m.mu.Unlock()
	m.users.Add(1)
	m.schedule()
}

func (m *mailbox) PostSystemMessage(msg any) {
	m.mu.Lock()
	m.system = append(m.system, msg)
	m.mu.Unlock()
	m.systems.Add(1)
	m.schedule()
}

func (m *mailbox) RegisterHandlers(invoker actor.MessageInvoker, dispatcher actor.Dispatcher) {
	m.invoker = invoker
	m.ctx, _ = invoker.(actor.Context)
	m.dispatcher = workersOf(m.ctx, dispatcher)
}

func (m *mailbox) Start() {
	m.started.Store(true)
	m.schedule()
}

func (m *mailbox) UserMessageCount() int { return int(m.users.Load()) }

func (m *mailbox) schedule() {
	if m.started.Load() && m.running.CompareAndSwap(false, true) {
		m.dispatcher.Schedule(m.process)
	}
}

// process runs until nothing is left. A message that arrives between the last look and the release of running is seen
// by the second look, or by its sender's schedule.
func (m *mailbox) process() {
	for {
		m.run()
		m.running.Store(false)
		more := m.systems.Load() > 0 || (!m.suspended.Load() && m.users.Load() > 0)
		if !more || !m.running.CompareAndSwap(false, true) {
			return
		}
	}
}

func (m *mailbox) run() {
	var msg any
	defer func() {
		if r := recover(); r != nil {
			m.invoker.EscalateFailure(r, msg)
		}
	}()
	limit := m.dispatcher.Throughput()
	for n := 0; ; n++ {
		if n > limit {
			n = 0
			runtime.Gosched()
		}
		if msg = m.nextSystem(); msg != nil {
			m.invokeSystem(msg)
			continue
		}
		if m.suspended.Load() {
			return
		}
		if msg = m.nextUser(); msg == nil {
			return
		}
		if m.dead.Load() {
			m.ctx.ActorSystem().DeadLetter.SendUserMessage(m.ctx.Self(), msg)
			continue
		}
		m.invoker.InvokeUserMessage(msg)
	}
}

func (m *mailbox) invokeSystem(msg any) {
	switch msg.(type) {
	case *actor.SuspendMailbox:
		m.suspended.Store(true)
	case *actor.ResumeMailbox:
		m.suspended.Store(false)
	case *actor.Stop, *actor.Terminated:
		m.invoker.InvokeSystemMessage(msg)
		m.noticeStop()
	default:
		m.invoker.InvokeSystemMessage(msg)
	}
}

// noticeStop finds out whether the actor has stopped: it has left the registry then.
func (m *mailbox) noticeStop() {
	if m.ctx == nil {
		return
	}
	p, found := m.ctx.ActorSystem().ProcessRegistry.GetLocal(m.ctx.Self().Id)
	if own, ok := p.(*actor.ActorProcess); found && ok && own != nil {
		return
	}
	m.dead.Store(true)
	m.suspended.Store(false)
}

func (m *mailbox) nextSystem() any {
	if m.systems.Load() == 0 {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.system) == 0 {
		return nil
	}
	msg := m.system[0]
	m.system = append(m.system[:0], m.system[1:]...)
	m.systems.Add(-1)
	return msg
}

func (m *mailbox) nextUser() any {
	if m.next == len(m.batch) {
		if m.users.Load() == 0 {
			return nil
		}
		spare := m.batch[:0]
		if cap(spare) > keep {
			spare = nil
		}
		m.mu.Lock()
		m.batch, m.user = m.user, spare
		m.mu.Unlock()
		m.next = 0
		if len(m.batch) == 0 {
			return nil
		}
	}
	msg := m.batch[m.next]
	m.batch[m.next] = nil
	m.next++
	m.users.Add(-1)
	return msg
}
