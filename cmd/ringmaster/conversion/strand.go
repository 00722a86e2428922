package conversion

import (
	"sort"

	"github.com/ringmaster-agents/ringmaster/actors/session/core"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/replay"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// strand is what the recording holds of one session, or of one sub-agent. It has one log as long as the agent stays in its
// session; an agent that goes into another session in the same process goes on in the log of that one.
type strand struct {
	cwd       string
	parent    *strand // of a sub-agent
	log       *log    // of the session that the agent is in
	logs      []*log  // of all sessions that it was in
	stretches []stretch
	newest    adapters.EntryKey

	left bool // the agent has left log's session, and it is not known yet for which
	to   adapters.Destination
}

// stretch is a run of entry keys that went into one log.
type stretch struct {
	from adapters.EntryKey
	log  *log
}

// name begins the log of a session that the recording shows, and gives its id: of a sub-agent the one that its parent's log
// names.
func (c *converter) name(s *replay.Session) string {
	meta, id := protocol.Metadata{Cwd: s.Cwd}, ""
	if s.Parent != nil {
		parent := c.strands[s.Parent].log
		meta.ParentSessionID, meta.Title, meta.SubAgent = parent.id, parent.titles[s.NativeID], true
		id = core.ChildID(parent.id, s.NativeID)
	}
	l, err := c.begin(c.now, id, meta)
	if err != nil && c.failed == nil {
		c.failed = err
	}
	if s.Parent != nil {
		l.native = s.NativeID
	}
	conn := &strand{parent: c.strands[s.Parent], log: l, logs: []*log{l}}
	c.strands[s] = conn
	return l.id
}

// root is the topmost strand that is no sub-agent's.
func (conn *strand) root() *strand {
	for conn.parent != nil {
		conn = conn.parent
	}
	return conn
}

// passUp gives the root's log what a sub-agent's log has for it.
func (c *converter) passUp(now int64, conn *strand) error {
	root := conn.root().log
	for _, m := range conn.log.imported.ToRoot() {
		if root == conn.log || !root.connected {
			continue
		}
		if err := c.write(root, root.imported.FromChild(now, m)); err != nil {
			return err
		}
	}
	return nil
}

// incarnate begins an incarnation of the session: entry keys count from the beginning.
func (c *converter) incarnate(now int64, conn *strand, cwd string) error {
	conn.cwd, conn.left = cwd, false
	conn.stretches, conn.newest = []stretch{{1, conn.log}}, 0
	return c.connect(now, conn.log)
}

// enter begins the log of a session that the agent is in from now on.
func (c *converter) enter(now int64, conn *strand, meta protocol.Metadata) error {
	l, err := c.begin(now, "", meta)
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
func (c *converter) exit(now int64, conn *strand, exit adapters.Exit) error {
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
func (c *converter) drafts(now int64, conn *strand, drafts []adapters.Draft) error {
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
func (c *converter) route(now int64, conn *strand, d adapters.Draft) (*log, error) {
	var err error
	switch d := d.(type) {
	case adapters.EntryChanged:
		return conn.holder(d.Key), nil
	case adapters.EntryOverflow:
		return conn.holder(d.Key), nil
	case adapters.EntryClosed:
		return conn.holder(d.Key), nil
	case adapters.EntryBound:
		if d.ID == "" {
			return conn.holder(d.Key), nil
		}
	case adapters.SessionLeft:
		conn.left, conn.to = true, d.To
	case adapters.Notice, adapters.Native, adapters.PromptAnswered, adapters.Offered, adapters.SettingAnswered: // no sign of another session
	case adapters.ChildBegan:
		err = c.childBegan(now, conn.log, d)
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

// childBegan gives a sub-agent the title that its parent knows, where its log has begun already.
func (c *converter) childBegan(now int64, parent *log, d adapters.ChildBegan) error {
	if d.Title == "" {
		return nil
	}
	if parent.titles == nil {
		parent.titles = map[string]string{}
	}
	parent.titles[d.NativeID] = d.Title
	id := core.ChildID(parent.id, d.NativeID)
	for _, l := range c.logs {
		if l.id == id && l.connected {
			return c.write(l, l.imported.Drafts(now, []adapters.Draft{adapters.MetaChanged{Meta: protocol.SessionMeta{Title: &d.Title}}}))
		}
	}
	return nil
}

// arrive begins the log of a session that the agent is at work in before its id is known.
func (c *converter) arrive(now int64, conn *strand) error {
	if !conn.left {
		return nil
	}
	return c.move(now, conn, nil)
}

// holder is the log that an entry is in.
func (conn *strand) holder(key adapters.EntryKey) *log {
	i := sort.Search(len(conn.stretches), func(i int) bool { return conn.stretches[i].from > key })
	return conn.stretches[max(i-1, 0)].log
}

// identify takes the agent's own id of the session that it is in. It is another session than it was when the agent has
// said that it leaves, or when the id is another one.
func (c *converter) identify(now int64, conn *strand, native string) error {
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
func (conn *strand) known(native string) *log {
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
func (c *converter) move(now int64, conn *strand, to *log) error {
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
