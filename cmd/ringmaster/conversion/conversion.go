// Package conversion makes canonical logs of recordings: the agent's own translator and the session core, fed from a file
// instead of a process, with the recording's clock.
package conversion

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"time"

	"github.com/google/uuid"

	"github.com/ringmaster-agents/ringmaster/actors/session/core"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/recording"
	"github.com/ringmaster-agents/ringmaster/adapters/replay"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Options of a conversion.
type Options struct {
	Agent adapters.Agent
	Start time.Time // when the recording began
}

// Stats says what came out.
type Stats struct {
	Sessions int
	Events   int
	Skipped  int   // lines that are no records of a recording that has some, or longer than recording.MaxLine
	First    error // the first of those: a *recording.Error
}

// What an input can lack altogether.
var (
	ErrEmpty   = errors.New("there is nothing in it")
	ErrForeign = errors.New("no line of it was understood")
)

// Convert reads a recording, or bare native lines, and writes the log of each session in it, one after the other, in the
// order in which they began. The same input gives the same bytes. A line that cannot be read is noted in the log and
// counted, and the log is well formed wherever the input breaks off. The error is the reader's or the writer's, ErrEmpty
// or ErrForeign; what was read before it is written all the same.
func Convert(w io.Writer, r io.Reader, opt Options) (Stats, error) {
	c := converter{w: w, opt: opt, strands: map[*replay.Session]*strand{}}
	in := bufio.NewReaderSize(r, nameBytes)
	beginning, _ := in.Peek(nameBytes) // an error comes again when it is read
	c.space = uuid.NewSHA1(uuid.NameSpaceOID, append([]byte(opt.Agent.Name()+"\x00"), beginning...))
	c.player = replay.New(opt.Agent, c.name)
	var failed error
	for rec, err := range recording.Read(in) {
		c.seen = true
		var unreadable *recording.Error
		switch {
		case errors.As(err, &unreadable):
			err = c.unreadable(rec, unreadable)
		case err != nil:
			failed, err = err, nil
		default:
			err = c.record(rec)
		}
		if err != nil {
			return c.stats, err
		}
	}
	if err := c.finish(); err != nil {
		return c.stats, err
	}
	switch {
	case failed != nil:
		return c.stats, failed
	case !c.seen:
		return c.stats, ErrEmpty
	case !c.understood && (c.spoken || c.stats.Sessions == 0 && c.stats.Skipped > 0):
		return c.stats, ErrForeign
	}
	return c.stats, nil
}

// nameBytes is how much of the input names its sessions: enough to hold times and identifiers.
const nameBytes = 64 << 10

type converter struct {
	w       io.Writer
	opt     Options
	space   uuid.UUID // in which sessions are named
	player  *replay.Player
	strands map[*replay.Session]*strand
	logs    []*log  // in the order of their beginning; the first one goes straight to w
	newest  *strand // that was heard last
	now     int64
	failed  error // the writer's, while a session began
	line    []byte
	stats   Stats

	seen       bool // there is anything
	spoken     bool // there is a line of the agent
	understood bool // and one that meant something
}

// log is one session of the recording.
type log struct {
	imported  *core.Import
	id        string
	native    string            // the agent's own id of the session; empty: not known yet
	connected bool              // the incarnation at work has reached this session
	titles    map[string]string // of sub-agents, by native id
	held      bytes.Buffer      // lines that wait for the logs before this one
}

func (c *converter) at(d time.Duration) int64 { return c.opt.Start.Add(d).UnixMilli() }

func (c *converter) record(rec recording.Record) error {
	c.now = c.at(rec.At)
	_, spoken := rec.Step.(recording.Out)
	c.spoken = c.spoken || spoken
	for _, said := range c.player.Play(rec) {
		if c.failed != nil {
			return c.failed
		}
		if err := c.take(said, spoken); err != nil {
			return err
		}
	}
	return c.failed
}

// take writes what one call of a translator said.
func (c *converter) take(said replay.Said, spoken bool) error {
	conn := c.strands[said.Session]
	c.understood = c.understood || spoken && (said.Begins || slices.ContainsFunc(said.Drafts, meaningful))
	c.newest = conn
	if said.Begins {
		if err := c.incarnate(c.now, conn, said.Session.Cwd); err != nil {
			return err
		}
	}
	if err := c.drafts(c.now, conn, said.Drafts); err != nil {
		return err
	}
	if said.Exit != nil {
		if err := c.exit(c.now, conn, *said.Exit); err != nil {
			return err
		}
	}
	return c.passUp(c.now, conn)
}

// meaningful says that a draft came of a line that the translator knows.
func meaningful(d adapters.Draft) bool {
	switch d.(type) {
	case adapters.Notice, adapters.Native:
		return false
	default:
		return true
	}
}

// unreadable notes a line in the log of the connection that was heard last; before any, there is no log to note it in.
func (c *converter) unreadable(rec recording.Record, err *recording.Error) error {
	c.stats.Skipped++
	if c.stats.First == nil {
		c.stats.First = err
	}
	if c.newest == nil {
		return nil
	}
	return c.drafts(c.at(rec.At), c.newest, []adapters.Draft{adapters.Notice{
		Level: "warning", Kind: "unparsable_line",
		Text: fmt.Sprintf("Line %d of the recording was skipped: %s.", err.Line, err.Problem),
	}})
}

// finish writes what waited. Nothing is open: a recording ends every connection that it begins.
func (c *converter) finish() error {
	for i, l := range c.logs {
		if i > 0 {
			if err := c.put(l.held.Bytes()); err != nil {
				return err
			}
		}
	}
	return nil
}

// begin begins a log. Where no id is given, it is derived from the beginning of the input and the log's place in it.
func (c *converter) begin(now int64, id string, meta protocol.Metadata) (*log, error) {
	c.stats.Sessions++
	if id == "" {
		id = uuid.NewSHA1(c.space, []byte(strconv.Itoa(c.stats.Sessions))).String()
	}
	l := &log{id: id}
	var events []protocol.Event
	l.imported, events = core.NewImport(now, l.id, c.opt.Agent, meta)
	c.logs = append(c.logs, l)
	return l, c.write(l, events)
}

func (c *converter) write(l *log, events []protocol.Event) error {
	c.line = c.line[:0]
	for i := range events {
		c.line = protocol.AppendLine(c.line, &events[i])
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
