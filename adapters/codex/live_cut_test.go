package codex_test

import (
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// proxy stands before a server and can cut all connections to it.
type proxy struct {
	net.Listener
	to string

	mu    sync.Mutex
	conns []net.Conn
	work  sync.WaitGroup
}

func newProxy(t *testing.T, to string) *proxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{Listener: l, to: to}
	p.work.Add(1)
	go p.serve() // ends with the listener, which the cleanup waits for
	t.Cleanup(func() {
		_ = l.Close()
		p.cut()
		p.work.Wait()
	})
	return p
}

func (p *proxy) serve() {
	defer p.work.Done()
	for {
		in, err := p.Accept()
		if err != nil {
			return
		}
		out, err := net.Dial("tcp", p.to)
		if err != nil {
			_ = in.Close()
			continue
		}
		p.mu.Lock()
		p.conns = append(p.conns, in, out)
		p.mu.Unlock()
		p.work.Add(2)
		for _, way := range [][2]net.Conn{{in, out}, {out, in}} {
			go func() { // ends with either connection
				defer p.work.Done()
				_, _ = io.Copy(way[0], way[1])
				_ = way[0].Close()
				_ = way[1].Close()
			}()
		}
	}
}

func (p *proxy) cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.conns {
		_ = c.Close()
	}
	p.conns = nil
}

// phase waits for a phase of the turn.
func (c *live) phase(lane adapters.Lane, state protocol.State) {
	c.t.Helper()
	c.until(lane, string(state), func(d adapters.Draft) bool {
		p, ok := d.(adapters.PhaseChanged)
		return ok && p.State == state
	})
}

// TestLiveCut cuts the connection to a server again and again: in a text, in a command, while an approval waits, while its answer is
// on the way, right behind a prompt and between turns. Each turn is one turn, and says what it would have said.
func TestLiveCut(t *testing.T) {
	spec := liveSpec(t)
	address := freeAddress(t)
	serveAt(t, spec, "ws://"+address)
	p := newProxy(t, address)
	spec.Endpoint = &adapters.Endpoint{URL: "ws://" + p.Addr().String()}
	c := connect(t, spec)
	a, thread := c.open(spec)
	back := func() {
		t.Helper()
		p.cut()
		c.phase(a, protocol.StateRetrying)
	}
	idle := func() {
		t.Helper()
		p.cut()
		c.until(a, "the loss", func(d adapters.Draft) bool {
			n, ok := d.(adapters.Notice)
			return ok && n.Kind == "connection_lost"
		})
	}

	// Never used: there is nothing to resume.
	idle()
	c.prompt(a, "0", "plain#"+thread)
	c.turnEnd(a, protocol.TurnCompleted)

	// Behind the prompt, in the text, twice.
	c.prompt(a, "1", "ws#1"+thread)
	p.cut()
	c.text(a)
	back()
	c.text(a)
	back()
	c.until(a, "the whole answer", func(d adapters.Draft) bool {
		e, ok := d.(adapters.EntryClosed)
		if !ok {
			return false
		}
		m, ok := e.Data.(*protocol.MessageData)
		return ok && strings.HasPrefix(m.Text, "Over a websocket.") && strings.Count(m.Text, "The river bends") >= 3
	})
	c.turnEnd(a, protocol.TurnCompleted)

	// In a command.
	c.prompt(a, "2", "shell#1"+thread)
	c.until(a, "a command", func(d adapters.Draft) bool {
		e, ok := d.(adapters.EntryOpened)
		return ok && e.Type == protocol.EntryToolCall
	})
	back()
	c.until(a, "its end", func(d adapters.Draft) bool {
		e, ok := d.(adapters.EntryClosed)
		if !ok {
			return false
		}
		call, ok := e.Data.(*protocol.ToolCallData)
		return ok && call.Status == protocol.ToolCompleted && strings.Count(call.Output, "\n") >= 4
	})
	c.turnEnd(a, protocol.TurnCompleted)

	// While an approval waits, and behind its answer.
	allow := func(key adapters.RequestKey) {
		t.Helper()
		c.tell(a, adapters.Answer{Key: key, Outcome: protocol.OutcomeAllowed, Option: protocol.AllowOnce})
	}
	c.prompt(a, "3", "approval-exec#1"+thread)
	r := c.request(a)
	back()
	c.phase(a, protocol.StateResponding)
	allow(r.Key)
	c.tool(a, protocol.ToolCompleted)
	c.turnEnd(a, protocol.TurnCompleted)
	c.prompt(a, "4", "approval-exec#2"+thread)
	allow(c.request(a).Key)
	p.cut()
	c.tool(a, protocol.ToolCompleted)
	c.turnEnd(a, protocol.TurnCompleted)

	// The answer while it is away. The server tells of the call's end only the connection that was there when it asked.
	c.prompt(a, "5", "approval-exec#3"+thread)
	r = c.request(a)
	back()
	c.tell(a, adapters.Answer{Key: r.Key, Outcome: protocol.OutcomeDenied, Option: protocol.DenyContinue})
	c.turnEnd(a, protocol.TurnCompleted)

	// The interrupt, a prompt and a model while it is away.
	c.prompt(a, "6", "interrupt-text#1"+thread)
	c.text(a)
	back()
	c.tell(a, adapters.Interrupt{})
	c.turnEnd(a, protocol.TurnInterrupted)
	idle()
	c.tell(a, adapters.SetModel{ID: "m", Model: "gpt-5.6-luna"})
	c.prompt(a, "7", "plain#2"+thread)
	c.turnEnd(a, protocol.TurnCompleted)

	// Over before it is back: the turn's end was not heard.
	c.prompt(a, "8", "plain#3"+thread)
	c.until(a, "the turn", func(d adapters.Draft) bool { _, ok := d.(adapters.TurnBegan); return ok })
	p.cut()
	c.turnEnd(a, protocol.TurnCompleted)

	began, users, answered := 0, map[string]int{}, map[string]adapters.PromptResult{}
	var used, total int64
	for _, d := range c.lanes[a].said {
		switch d := d.(type) {
		case adapters.TurnBegan:
			began++
		case adapters.PromptAnswered:
			answered[d.ID] = d.Result
		case adapters.EntryOpened:
			if m, ok := d.Data.(*protocol.MessageData); ok && m.Role == "user" {
				users[m.Text]++
			}
		case adapters.RequestOpened:
			if d.Key > 3 {
				t.Errorf("asked again: %+v", d)
			}
		case adapters.Used:
			used += d.Usage.Usage.TotalTokens
			total = d.Usage.SessionTotal.TotalTokens
		default:
		}
	}
	if began != 9 || len(users) != 9 || used != total {
		t.Errorf("%d turns; messages %v; used %d of %d; said\n%s", began, users, used, total, c.all(a))
	}
	for i := range 9 {
		if answered[fmt.Sprint(i)] != adapters.PromptStarted {
			t.Errorf("prompt %d: %v", i, answered[fmt.Sprint(i)])
		}
	}
	for text, n := range users {
		if n != 1 {
			t.Errorf("%d times: %s", n, text)
		}
	}
	if exit := c.end(5 * time.Second); !exit.Clean() || !exit.Requested {
		t.Errorf("got %+v", exit)
	}
}
