package replay

import (
	"fmt"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/recording"
)

// Said is what one call of a translator had to say.
type Said struct {
	Session *Session
	Begins  bool // with it an incarnation of the session begins
	Resumes bool // and it goes on with the agent's own session
	Drafts  []adapters.Draft
	Lines   [][]byte       // for the agent, which is not there
	Exit    *adapters.Exit // not nil: the incarnation is over
	Step    recording.Step // what it came of; nil at the incarnation's beginning
}

// Namer gives the id of a session that begins. Of the session everything but its id is known.
type Namer func(*Session) string

// Player plays one recording. It is not safe for concurrent use.
type Player struct {
	// Overwrite has every line written over once it was taken, so that whoever keeps a part of one says nonsense.
	Overwrite bool
	// MaxText is how much of one text translators say, in bytes; 0: adapters.MaxText, or what an archive's session had.
	MaxText int

	agent    adapters.Agent
	splits   adapters.Splitting // nil: a plain agent
	name     Namer
	conns    map[string]*connection
	owners   map[string]*Session // sessions from a connection's start on, by its label
	natives  map[string]*Session // sessions without a parent, by native id
	children map[childKey]*Session
	sessions []*Session
	said     []Said
	written  [][]byte
	faults   []string
}

type childKey struct {
	parent *Session
	native string
}

// connection is one connection of the recording, from its start to its exit.
type connection struct {
	label    string
	cwd      string
	splitter adapters.Splitter // nil: a plain agent's
	split    adapters.Split
	lanes    map[adapters.Lane]*part // nil values are over; a plain agent has lane 0
	newest   adapters.Lane
}

// New makes a player.
func New(agent adapters.Agent, name Namer) *Player {
	splits, _ := agent.(adapters.Splitting)
	return &Player{
		agent: agent, splits: splits, name: name, conns: map[string]*connection{},
		owners: map[string]*Session{}, natives: map[string]*Session{}, children: map[childKey]*Session{},
	}
}

// Sessions are the sessions so far, in the order of their beginning.
func (p *Player) Sessions() []*Session { return p.sessions }

// Written is what splitters wrote for the agent in the last Play.
func (p *Player) Written() [][]byte { return p.written }

// Faults are breaches of a splitter's contract: parts for lanes that are not there, lanes that are given again.
func (p *Player) Faults() []string { return p.faults }

// Play takes the next record and gives what was said of it, in order, valid until the next call. Steps outside of a
// connection, which recording.Read never gives, say nothing.
func (p *Player) Play(r recording.Record) []Said {
	clear(p.said)
	p.said, p.written = p.said[:0], nil
	conn := p.conns[r.Conn]
	if s, ok := r.Step.(recording.Start); ok {
		p.start(r.Conn, s)
		return p.said
	}
	if conn == nil {
		return nil
	}
	switch s := r.Step.(type) {
	case recording.Start:
	case recording.Out:
		p.line(conn, s, s.Line, false)
	case recording.In:
		p.line(conn, s, s.Line, true)
	case recording.Exit:
		delete(p.conns, r.Conn)
		for lane := adapters.Lane(0); lane <= conn.newest; lane++ {
			if part := conn.lanes[lane]; part != nil {
				p.end(part, s, s.Exit)
			}
		}
	case recording.Stderr, recording.Note: // nothing that a connection carries
	}
	return p.said
}

func (p *Player) start(label string, s recording.Start) {
	conn := &connection{label: label, cwd: s.Cwd, lanes: map[adapters.Lane]*part{}}
	p.conns[label] = conn
	spec := adapters.Spec{Program: "agent", Cwd: s.Cwd}
	splits := p.splits != nil && s.Archive == nil
	var owner *Session
	if !splits || p.splits.Connection(spec) == "" {
		if owner = p.owners[label]; owner == nil {
			owner = p.begin(nil, "", conn)
			p.owners[label] = owner
		}
		owner.archive = s.Archive
		p.incarnate(owner, conn)
		spec = owner.spec()
	}
	if !splits {
		p.run(owner, conn, 0)
		return
	}
	conn.splitter = p.splits.Splitter(spec)
	conn.splitter.Start(&conn.split)
	p.parts(conn, s)
	if owner == nil {
		return
	}
	lane := conn.splitter.Join(spec, &conn.split)
	if p.lane(conn, lane) {
		p.run(owner, conn, lane)
	}
	p.parts(conn, s)
}

// line gives a line of the connection to the translator that it is for.
func (p *Player) line(conn *connection, step recording.Step, line []byte, sent bool) {
	switch {
	case conn.splitter == nil:
		p.tell(conn.lanes[0], step, line, sent)
	case sent:
		conn.splitter.Sent(line, &conn.split)
		p.parts(conn, step)
	default:
		conn.splitter.Line(line, &conn.split)
		p.parts(conn, step)
	}
	p.overwrite(line)
}

// parts passes on what a splitter had to say.
func (p *Player) parts(conn *connection, step recording.Step) {
	parts := conn.split.Parts
	for _, x := range parts {
		switch {
		case x.Born != nil:
			p.born(conn, x.Lane, *x.Born)
		case conn.lanes[x.Lane] == nil:
			if _, over := conn.lanes[x.Lane]; !over {
				p.fault("a part for lane %d, which is not there", x.Lane)
			}
		case x.Over:
			p.end(conn.lanes[x.Lane], step, adapters.Exit{})
		default:
			p.tell(conn.lanes[x.Lane], step, x.Line, x.Sent)
		}
	}
	for _, x := range parts {
		p.overwrite(x.Line)
	}
	p.written = append(p.written, conn.split.Lines...)
	clear(parts)
	conn.split = adapters.Split{Parts: parts[:0]}
}

// lane checks that the lane is a new one.
func (p *Player) lane(conn *connection, lane adapters.Lane) bool {
	if lane != conn.newest+1 {
		p.fault("lane %d begins, want %d", lane, conn.newest+1)
		return false
	}
	conn.newest = lane
	return true
}

// born begins the next incarnation of a session that the recording shows.
func (p *Player) born(conn *connection, lane adapters.Lane, b adapters.Birth) {
	if !p.lane(conn, lane) {
		return
	}
	var s *Session
	if b.Parent == 0 {
		if s = p.natives[b.NativeID]; s == nil || b.NativeID == "" {
			s = p.begin(nil, b.NativeID, conn)
		}
	} else {
		parent := conn.lanes[b.Parent]
		if parent == nil {
			conn.lanes[lane] = nil
			p.fault("lane %d is a child of lane %d, which is not there", lane, b.Parent)
			return
		}
		key := childKey{parent.session, b.NativeID}
		if s = p.children[key]; s == nil || b.NativeID == "" {
			s = p.begin(parent.session, b.NativeID, conn)
			p.children[key] = s
		}
	}
	switch {
	case s.part != nil && s.part.conn != conn:
		p.move(s.part, conn, lane)
		return
	case s.part != nil: // it goes on here
		p.end(s.part, nil, adapters.Exit{Requested: true, Error: "the session went on elsewhere"})
	}
	p.incarnate(s, conn)
	p.run(s, conn, lane)
}

// move goes on with an incarnation on another connection that joins it while the first one lives. Both carry the same: what the
// first one says from here on is not heard.
func (p *Player) move(part *part, conn *connection, lane adapters.Lane) {
	part.conn.lanes[part.lane] = nil
	part.conn, part.lane = conn, lane
	conn.lanes[lane], part.session.Conn = part, conn.label
}

// begin notes a new session.
func (p *Player) begin(parent *Session, native string, conn *connection) *Session {
	s := &Session{Number: len(p.sessions) + 1, Parent: parent, NativeID: native, Conn: conn.label, Cwd: conn.cwd}
	s.ID = p.name(s)
	p.sessions = append(p.sessions, s)
	if parent == nil && native != "" {
		p.natives[native] = s
	}
	return s
}

// incarnate counts the session's next incarnation.
func (p *Player) incarnate(s *Session, conn *connection) {
	s.Incarnations++
	s.Conn = conn.label
	if conn.cwd != "" {
		s.Cwd = conn.cwd
	}
}

// run begins the incarnation.
func (p *Player) run(s *Session, conn *connection, lane adapters.Lane) {
	spec := s.spec()
	if p.MaxText > 0 {
		spec.MaxText = p.MaxText
	}
	part := &part{session: s, conn: conn, lane: lane, translator: p.agent.Translator(spec)}
	s.part, conn.lanes[lane] = part, part
	var out adapters.Output
	part.translator.Start(&out)
	p.say(Said{Session: s, Begins: true, Resumes: spec.Resume}, out)
}

func (p *Player) tell(part *part, step recording.Step, line []byte, sent bool) {
	if part == nil {
		return // it went on elsewhere
	}
	var out adapters.Output
	if sent {
		part.translator.Sent(line, &out)
	} else {
		part.translator.Line(line, &out)
	}
	p.say(Said{Session: part.session, Step: step}, out)
}

// end ends an incarnation.
func (p *Player) end(part *part, step recording.Step, exit adapters.Exit) {
	part.conn.lanes[part.lane], part.session.part = nil, nil
	var out adapters.Output
	part.translator.Exit(exit, &out)
	p.say(Said{Session: part.session, Step: step, Exit: &exit}, out)
}

func (p *Player) say(said Said, out adapters.Output) {
	said.Drafts, said.Lines = out.Drafts, out.Lines
	if !said.Begins && said.Exit == nil && len(out.Drafts)+len(out.Lines) == 0 {
		return
	}
	for _, d := range out.Drafts {
		if native := said.Session.learn(d); native != "" && said.Session.Parent == nil && p.natives[native] == nil {
			p.natives[native] = said.Session
		}
	}
	p.said = append(p.said, said)
}

// maxFaults bounds what is remembered of a splitter that knows no lanes.
const maxFaults = 100

func (p *Player) fault(format string, args ...any) {
	if len(p.faults) < maxFaults {
		p.faults = append(p.faults, fmt.Sprintf(format, args...))
	}
}

func (p *Player) overwrite(line []byte) {
	if !p.Overwrite {
		return
	}
	for i := range line {
		line[i] = '~'
	}
}
