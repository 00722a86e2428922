package conversion

import (
	"sort"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/recording"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// connection is one connection to an agent. It has one log as long as the agent stays in its session; an agent that goes
// into another session in the same process goes on in the log of that one.
type connection struct {
	translator adapters.Translator
	cwd        string
	log        *log   // of the session that the agent is in
	logs       []*log // of all sessions that it was in
	stretches  []stretch
	newest     adapters.EntryKey

	left bool // the agent has left log's session, and it is not known yet for which
	to   adapters.Destination
}

// stretch is a run of entry keys that went into one log.
type stretch struct {
	from adapters.EntryKey
	log  *log
}

// start begins a connection: the first of its label begins a session, a later one goes on with it.
func (c *converter) start(now int64, label string, s recording.Start) error {
	conn := c.byConn[label]
	if conn == nil {
		conn = &connection{}
		c.byConn[label] = conn
	}
	conn.cwd, conn.left = s.Cwd, false
	var err error
	if conn.log == nil {
		err = c.enter(now, conn, protocol.Metadata{Cwd: s.Cwd})
	} else {
		err = c.connect(now, conn.log)
	}
	if err != nil {
		return err
	}
	conn.stretches = []stretch{{1, conn.log}}
	conn.newest = 0
	conn.translator = c.opt.Agent.Translator(adapters.Spec{
		SessionID: conn.log.id, NativeSessionID: conn.log.native, Resume: conn.log.native != "", Cwd: s.Cwd,
	})
	c.newest = conn
	var out adapters.Output // its lines are for an agent that is not there: the recording has those that were sent
	conn.translator.Start(&out)
	return c.drafts(now, conn, out.Drafts)
}

// enter begins the log of a session that the agent is in from now on.
func (c *converter) enter(now int64, conn *connection, meta protocol.Metadata) error {
	l, err := c.begin(now, meta)
	if err != nil {
		return err
	}
	conn.log, conn.logs = l, append(conn.logs, l)
	return c.connect(now, l)
}

func (c *converter) connect(now int64, l *log) error {
	l.connected = true
	return c.write(l, l.imported.Connect(now))
}

// exit ends the connection, for all sessions that the agent was in.
func (c *converter) exit(now int64, conn *connection, exit adapters.Exit) error {
	for _, l := range conn.logs {
		if !l.connected {
			continue
		}
		l.connected = false
		if err := c.write(l, l.imported.Exit(now, exit)); err != nil {
			return err
		}
	}
	return nil
}

// drafts writes what a translator said, each draft to the log of its session.
func (c *converter) drafts(now int64, conn *connection, drafts []adapters.Draft) error {
	for i, d := range drafts {
		l, err := c.route(now, conn, d)
		if err != nil {
			return err
		}
		if err := c.write(l, l.imported.Drafts(now, drafts[i:i+1])); err != nil {
			return err
		}
	}
	return nil
}

// route finds the log that a draft belongs to, and follows the agent into another session where the draft tells of it.
func (c *converter) route(now int64, conn *connection, d adapters.Draft) (*log, error) {
	var err error
	switch d := d.(type) {
	case adapters.EntryChanged:
		return conn.holder(d.Key), nil
	case adapters.EntryClosed:
		return conn.holder(d.Key), nil
	case adapters.EntryBound:
		return conn.holder(d.Key), nil
	case adapters.SessionLeft:
		conn.left, conn.to = true, d.To
	case adapters.Notice, adapters.Native, adapters.PromptAnswered: // no sign of another session
	case adapters.Ready:
		err = c.identify(now, conn, d.NativeSessionID)
	case adapters.MetaChanged:
		native := ""
		if id := d.Meta.NativeSessionID; id != nil {
			native = *id
		}
		err = c.identify(now, conn, native)
	case adapters.EntryOpened:
		err = c.arrive(now, conn)
		conn.newest = d.Key
	case adapters.TurnBegan, adapters.TurnEnded, adapters.PhaseChanged, adapters.RequestOpened, adapters.RequestClosed,
		adapters.Used, adapters.NativeQueue:
		err = c.arrive(now, conn)
	}
	return conn.log, err
}

// arrive begins the log of a session that the agent is at work in before its id is known.
func (c *converter) arrive(now int64, conn *connection) error {
	if !conn.left {
		return nil
	}
	return c.move(now, conn, nil)
}

// holder is the log that an entry is in.
func (conn *connection) holder(key adapters.EntryKey) *log {
	i := sort.Search(len(conn.stretches), func(i int) bool { return conn.stretches[i].from > key })
	return conn.stretches[max(i-1, 0)].log
}

// identify takes the agent's own id of the session that it is in. It is another session than it was when the agent has
// said that it leaves, or when the id is another one.
func (c *converter) identify(now int64, conn *connection, native string) error {
	if native == "" {
		return c.arrive(now, conn)
	}
	if conn.left || conn.log.native != "" && conn.log.native != native {
		if err := c.move(now, conn, conn.known(native)); err != nil {
			return err
		}
	}
	conn.log.native = native
	return nil
}

// known is the log of a session that the agent was in before; nil: there is none. An older session whose id was never seen
// is taken for the one whose id never was, where there is only one such.
func (conn *connection) known(native string) *log {
	var nameless []*log
	for _, l := range conn.logs {
		switch l.native {
		case native:
			return l
		case "":
			nameless = append(nameless, l)
		}
	}
	if conn.left && conn.to == adapters.ToOlder && len(nameless) == 1 {
		return nameless[0]
	}
	return nil
}

// move goes on in the log of another session; nil begins a new one. The agent is at work there already.
func (c *converter) move(now int64, conn *connection, to *log) error {
	meta := protocol.Metadata{Cwd: conn.cwd}
	if conn.left && conn.to == adapters.ToCopy {
		meta.ParentSessionID = conn.log.id
	}
	conn.left = false
	var err error
	switch {
	case to == nil:
		err = c.enter(now, conn, meta)
	case !to.connected:
		conn.log = to
		err = c.connect(now, to)
	default:
		conn.log = to
	}
	if err != nil {
		return err
	}
	conn.stretches = append(conn.stretches, stretch{conn.newest + 1, conn.log})
	return c.write(conn.log, conn.log.imported.Drafts(now, []adapters.Draft{adapters.Ready{}}))
}
