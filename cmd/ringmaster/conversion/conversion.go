// Package conversion makes canonical logs of recordings: the agent's own translator and the session core, fed from a file
// instead of a process, with the recording's clock.
package conversion

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/google/uuid"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/recording"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Options of a conversion.
type Options struct {
	Agent adapters.Agent
	Name  string    // of the recording; the session ids are derived from it
	Start time.Time // when the recording began
}

// Stats says what came out.
type Stats struct {
	Sessions int
	Events   int
}

// Convert reads a recording, or bare native lines, and writes the log of each session in it, one after the other, in the
// order in which they began. The same input gives the same bytes. What was read before an error is written all the same.
func Convert(w io.Writer, r io.Reader, opt Options) (Stats, error) {
	c := converter{w: w, opt: opt, byConn: map[string]*log{}}
	var failed error
	for rec, err := range recording.Read(r) {
		if err != nil {
			failed = err
			break
		}
		if err := c.record(rec); err != nil {
			return c.stats, err
		}
	}
	if err := c.finish(); err != nil {
		return c.stats, err
	}
	return c.stats, failed
}

type converter struct {
	w      io.Writer
	opt    Options
	logs   []*log // in the order of their beginning; the first one goes straight to w
	byConn map[string]*log
	last   time.Duration
	line   []byte
	stats  Stats
}

// log is one session of the recording.
type log struct {
	imported   *session.Import
	id, native string
	translator adapters.Translator
	connected  bool
	held       bytes.Buffer // lines that wait for the logs before this one
}

func (c *converter) at(d time.Duration) int64 { return c.opt.Start.Add(d).UnixMilli() }

func (c *converter) record(rec recording.Record) error {
	c.last = max(c.last, rec.At)
	now := c.at(rec.At)
	var out adapters.Output
	l := c.byConn[rec.Conn]
	switch s := rec.Step.(type) {
	case recording.Start:
		return c.start(now, rec.Conn, s)
	case recording.Out:
		if l != nil {
			l.translator.Line(s.Line, &out)
		}
	case recording.In:
		if l != nil {
			l.translator.Sent(s.Line, &out)
		}
	case recording.Exit:
		if l == nil || !l.connected {
			return nil
		}
		l.translator.Exit(s.Exit, &out)
		if err := c.drafts(now, l, out.Drafts); err != nil {
			return err
		}
		l.connected = false
		return c.write(l, l.imported.Exit(now, s.Exit))
	case recording.HTTP, recording.Stderr, recording.Note:
	}
	if l == nil {
		return nil
	}
	return c.drafts(now, l, out.Drafts)
}

// start begins a connection: the first of its label begins a session, a later one goes on with it.
func (c *converter) start(now int64, conn string, s recording.Start) error {
	l := c.byConn[conn]
	if l == nil {
		var err error
		if l, err = c.begin(now, s.Cwd); err != nil {
			return err
		}
		c.byConn[conn] = l
	}
	l.translator = c.opt.Agent.Translator(adapters.Spec{
		SessionID: l.id, NativeSessionID: l.native, Resume: l.native != "", Cwd: s.Cwd,
	})
	l.connected = true
	if err := c.write(l, l.imported.Connect(now)); err != nil {
		return err
	}
	var out adapters.Output // its lines are for an agent that is not there: the recording has those that were sent
	l.translator.Start(&out)
	return c.drafts(now, l, out.Drafts)
}

func (c *converter) begin(now int64, cwd string) (*log, error) {
	c.stats.Sessions++
	name := c.opt.Agent.Name() + "\x00" + c.opt.Name + "\x00" + strconv.Itoa(c.stats.Sessions)
	l := &log{id: uuid.NewSHA1(uuid.NameSpaceURL, []byte(name)).String()}
	var events []protocol.Event
	l.imported, events = session.NewImport(now, l.id, c.opt.Agent.Name(), protocol.Metadata{Cwd: cwd})
	c.logs = append(c.logs, l)
	return l, c.write(l, events)
}

func (c *converter) drafts(now int64, l *log, drafts []adapters.Draft) error {
	if len(drafts) == 0 {
		return nil
	}
	for _, d := range drafts {
		if r, ok := d.(adapters.Ready); ok && r.NativeSessionID != "" {
			l.native = r.NativeSessionID
		}
	}
	return c.write(l, l.imported.Drafts(now, drafts))
}

func (c *converter) write(l *log, events []protocol.Event) error {
	c.line = c.line[:0]
	for i := range events {
		c.line = append(protocol.Append(c.line, &events[i]), '\n')
	}
	c.stats.Events += len(events)
	if l != c.logs[0] {
		l.held.Write(c.line)
		return nil
	}
	return c.put(c.line)
}

func (c *converter) put(b []byte) error {
	if _, err := c.w.Write(b); err != nil {
		return fmt.Errorf("write the log: %w", err)
	}
	return nil
}

// finish closes what is open, and writes what waited.
func (c *converter) finish() error {
	for i, l := range c.logs {
		if l.connected {
			if err := c.write(l, l.imported.Finish(c.at(c.last))); err != nil {
				return err
			}
		}
		if i > 0 {
			if err := c.put(l.held.Bytes()); err != nil {
				return err
			}
		}
	}
	return nil
}
