package adapter

import (
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/failpoint"
	"github.com/ringmaster-agents/ringmaster/actors/pace"
	"github.com/ringmaster-agents/ringmaster/actors/price"
	"github.com/ringmaster-agents/ringmaster/actors/raw"
	"github.com/ringmaster-agents/ringmaster/actors/secret"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/actors/vault"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/process"
	"go.uber.org/zap"
)

// Config is one connection.
type Config struct {
	SessionID   string
	Incarnation uint32
	Conn        adapters.Conn
	Translator  adapters.Translator
	Images      session.Images
	Log         *zap.Logger
	Unknown     func()        // called for every native line of an unknown kind
	Up          func()        // called when the agent takes prompts; nil: nobody waits for it
	Raw         *raw.Recorder // keeps the native lines; nil: they are not kept
	Cwd         string        // where the agent works
	Vault       *vault.Vault  // what no policy answers; nil: nothing
	Tokens      *secret.Tokens
	Pace        *pace.Speaker // keeps the agent from flooding where others speak; nil: nothing does
	Prices      *price.Book   // of models whose agent does not say what they cost; nil: nothing is worked out

	MaxLine     int // bytes; 0: the framer's default
	WindowLines int // 0: 1024, so that a sync of the journal has many lines to cover
	WindowBytes int // 0: 1 MiB
}

// Where a batch ends, whatever else there is to read.
const (
	batchLines  = 64   // native lines
	batchDrafts = 4096 // drafts, and those of one line more
)

// port is the connection at work. The translator is shared by the reader and the actor, a few microseconds at a time.
type port struct {
	cfg    Config
	window *window
	writer *writer
	secret *redaction

	mu     sync.Mutex // guards what follows, and the translator
	out    adapters.Output
	prices prices
	broken string // the port's reason to end the agent; empty: it has not
}

func newPort(cfg Config) *port {
	if cfg.WindowLines == 0 {
		cfg.WindowLines = 1024
	}
	if cfg.WindowBytes == 0 {
		cfg.WindowBytes = 1 << 20
	}
	return &port{
		cfg: cfg, window: newWindow(cfg.WindowLines, cfg.WindowBytes), writer: newWriter(cfg.Conn.Input()),
		secret: newRedaction(cfg.Tokens), prices: prices{book: cfg.Prices},
	}
}

func (p *port) start() {
	p.command(func() { p.cfg.Translator.Start(&p.out) })
	go p.read()
}

// close ends the port from the actor's side: it ends the agent, and with the agent's output the reader.
func (p *port) close() {
	p.window.close()
	p.cfg.Conn.Stop(0)
}

// read is the reader: it owns the agent's output. The last batch carries the exit.
func (p *port) read() {
	exit := p.translate()
	failpoint.Hit("adapter/afterExit")
	p.window.wait()
	p.mu.Lock()
	p.guard(func() { p.cfg.Translator.Exit(exit, &p.out) })
	p.send(0, 0, &exit)
	p.mu.Unlock()
	p.writer.close()
	_ = p.cfg.Conn.Input().Close() // ends a writer that blocks on the agent's pipe
}

// translate reads until the output ends. A panic of the translator ends the agent, not the daemon.
func (p *port) translate() adapters.Exit {
	framer := process.NewFramer(p.cfg.Conn.Output(), p.cfg.MaxLine)
	for p.window.wait() {
		lines, bytes := 0, 0
		frame, err := framer.Next()
		if err != nil {
			break
		}
		failpoint.Hit("adapter/afterRead")
		p.mu.Lock()
		for {
			lines++
			bytes += len(frame.Line)
			if !p.guard(func() { p.frame(frame) }) {
				break
			}
			if lines == batchLines || len(p.out.Drafts) >= batchDrafts || !framer.Buffered() {
				break
			}
			if frame, err = framer.Next(); err != nil {
				break // cannot be: a whole line is buffered
			}
		}
		failpoint.Hit("adapter/afterTranslate")
		p.send(lines, bytes, nil)
		broken := p.broken != ""
		p.mu.Unlock()
		if broken {
			break
		}
		p.cfg.Raw.Wait()
		p.window.rest(p.cfg.Pace.Said(lines, bytes))
	}
	drain(p.cfg.Conn)
	exit := p.cfg.Conn.Wait()
	exit.Error, exit.Stderr = p.cfg.Tokens.Text(exit.Error), slices.Clone(exit.Stderr)
	for i, line := range exit.Stderr {
		exit.Stderr[i] = p.cfg.Tokens.Text(line)
	}
	p.mu.Lock()
	if p.broken != "" {
		exit.Error, exit.Requested = p.broken, false
	}
	p.mu.Unlock()
	return exit
}

// drain reads the output to its end, so that the agent can end and Wait may be called.
func drain(c adapters.Conn) {
	buf := make([]byte, 32<<10)
	for {
		if _, err := c.Output().Read(buf); err != nil {
			return
		}
	}
}

func (p *port) frame(f process.Frame) {
	if f.TooLong != nil {
		p.cfg.Raw.TooLong(f.TooLong.Bytes)
		p.out.Draft(adapters.Notice{
			Level: "warning", Kind: "line_too_long",
			Text: fmt.Sprintf("A line of %d bytes from the agent was dropped: the limit is %d.", f.TooLong.Bytes, p.limit()),
		})
		return
	}
	p.cfg.Tokens.Mask(f.Line)
	before := len(p.out.Drafts)
	defer func() { // also when the translator fails on it
		p.secret.drafts(p.out.Drafts[before:], f.Line)
		p.cfg.Raw.Out(f.Line)
	}()
	p.cfg.Translator.Line(f.Line, &p.out)
	if n := p.out.Dropped; n > 0 {
		p.out.Dropped = 0
		p.out.Drafts = append(p.out.Drafts, adapters.Notice{
			Level: "warning", Kind: "line_cut",
			Text: fmt.Sprintf("A line of %d bytes from the agent says too much at once: %d parts of it were dropped.", len(f.Line), n),
		})
	}
}

func (p *port) limit() int {
	if p.cfg.MaxLine > 0 {
		return p.cfg.MaxLine
	}
	return process.DefaultMaxLine
}

// guard ends the agent when the translator panics, and says whether all went well. With mu held.
func (p *port) guard(do func()) (well bool) {
	defer func() {
		if r := recover(); r != nil {
			p.giveUp("the daemon's translator failed on what was said")
			p.cfg.Log.Error("translator panic", zap.String("session", p.cfg.SessionID), zap.ByteString("stack", debug.Stack()))
		}
	}()
	do()
	return true
}

// giveUp ends the agent because of a fault: the exit then counts as not asked for. With mu held.
func (p *port) giveUp(why string) {
	if p.broken == "" {
		p.broken = why
		p.cfg.Conn.Stop(0)
	}
}

// send passes on the translator's output since the last time: its lines to the agent, the lines of both sides to the archive, and its drafts to
// the session. The drafts come last, so that a reader that sees an event finds its native lines. With mu held, so that batches are numbered in the
// order of their drafts; nothing in it blocks.
func (p *port) send(lines, bytes int, exit *adapters.Exit) {
	for _, l := range p.out.Lines {
		p.cfg.Raw.In(p.secret.line(l))
	}
	if len(p.out.Lines) > 0 {
		if !p.writer.put(p.out.Lines) {
			p.cfg.Log.Warn("agent does not read its input", zap.String("session", p.cfg.SessionID))
			p.giveUp("the agent does not read its input")
		}
		p.out.Lines = nil
	}
	b, number := p.batch(exit)
	if exit != nil {
		p.cfg.Raw.End(number, ending(exit))
	} else {
		p.cfg.Raw.Batch(number)
	}
	if b != nil {
		p.window.put(b, lines, bytes)
	}
}

// batch makes a batch of what the translator drafted, and gives its number; nil and 0: there is nothing to send.
func (p *port) batch(exit *adapters.Exit) (b *session.Batch, number uint64) {
	if len(p.out.Drafts) == 0 && exit == nil {
		return nil, 0
	}
	drafts := p.prices.price(slices.Clone(p.out.Drafts))
	clear(p.out.Drafts)
	p.out.Drafts = p.out.Drafts[:0]
	p.follow(drafts)
	for i, d := range drafts {
		switch d := d.(type) {
		case adapters.Ready:
			if p.cfg.Up != nil {
				p.cfg.Up()
			}
		case adapters.Native:
			if p.cfg.Unknown != nil {
				p.cfg.Unknown()
			}
		case adapters.RequestOpened:
			if p.cfg.Vault.Touches(p.cfg.Cwd, &d.Request) {
				d.Guarded = true
				drafts[i] = d
			}
		default:
		}
	}
	number = p.window.next()
	return &session.Batch{Incarnation: p.cfg.Incarnation, Number: number, Drafts: drafts, Exit: exit}, number
}

// ending is an exit in the words of a recording.
func ending(e *adapters.Exit) raw.End {
	end := raw.End{Status: fmt.Sprintf("exit %d", e.Code), Requested: e.Requested, Stderr: e.Stderr}
	switch {
	case e.Error != "":
		end.Status = e.Error
	case e.Signal != "":
		end.Status = "signal: " + e.Signal
	}
	return end
}

// command calls the translator from the actor's side. Its drafts do not wait for room in the window: the API bounds the commands, and the actor must
// not block.
func (p *port) command(do func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.broken != "" {
		return // the agent is being ended
	}
	p.guard(do)
	p.send(0, 0, nil)
}

func (p *port) stop(grace time.Duration) { p.cfg.Conn.Stop(grace) }
