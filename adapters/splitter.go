package adapters

import "context"

// There are two shapes of adapter. A plain Agent's session owns its process, and everything that the process says is the
// session's. A Splitting agent's connection carries more than one session: many sessions share one server (Codex, OpenCode),
// or a session's sub-agents speak over its own connection (Claude Code). Either way a Translator sees the lines of one session.

// Splitting is an Agent whose connections carry more than one session.
type Splitting interface {
	Agent
	// Connection names the connection that a session uses: sessions with equal names share one. Empty: the session has one
	// for itself and its sub-agents.
	Connection(spec Spec) string
	// Splitter makes the pure half of one connection. spec is that of the first session.
	Splitter(spec Spec) Splitter
}

// Connector is an Agent that makes its connections itself: it speaks over something else than the standard streams of a
// process, or can be attached to.
type Connector interface {
	Agent
	// Connect starts or attaches the agent. It returns when the connection stands; ctx counts only until then. A process is
	// started by processes, with the Launch of the agent. With spec.Endpoint nothing is started, and the Conn has no Process.
	// The lines of the Conn are those that the agent's Splitter and Translator take and make.
	Connect(ctx context.Context, spec Spec, processes Transport) (Conn, error)
}

// Lane names one session's part of a connection: 1, 2, 3 … as the splitter gives them, never used again.
type Lane uint32

// Splitter decides which session each native line of a connection belongs to, and sees to what belongs to the connection as a
// whole: its handshake, ids of requests that must be unique in it. Like a Translator it is pure and total, bounded by its
// input, and not safe for concurrent use.
type Splitter interface {
	// Start is called once, before everything else; it may write the lines of a handshake.
	Start(out *Split)
	// Join gives a session a lane. Where the handshake is not done, what the lane says waits inside.
	Join(spec Spec, out *Split) Lane
	// Line takes one native line of the agent.
	Line(line []byte, out *Split)
	// Say takes a line that the translator of a lane made for the agent.
	Say(lane Lane, line []byte, out *Split)
	// Sent takes a native line that somebody else sent to the agent: a line of a recording.
	Sent(line []byte, out *Split)
	// Leave ends a lane, and the lanes of its children. What the session left running at the agent is ended by the lines that
	// it writes; the agent's process may be stopped right behind them.
	Leave(lane Lane, out *Split)
}

// Split collects what one call of a splitter has to say. The caller empties and re-uses it. Lines of Parts may be the very
// line that was given, valid until the next call.
type Split struct {
	Lines [][]byte // to the agent, in order, without newlines
	Parts []Part   // to lanes, in order
}

// Part is something for one lane. Without Born and Over it is a line.
type Part struct {
	Lane Lane
	Line []byte
	Sent bool   // the line went to the agent (Splitter.Sent): it is for Translator.Sent
	Born *Birth // the lane begins here; lines follow in later parts
	Over bool   // nothing more comes on this lane: a sub-agent is done
}

// Birth says that the agent has a session that did not join.
type Birth struct {
	Parent   Lane   // whose sub-agent it is; 0: nobody's here, it was started by another client or in a recording
	NativeID string // as in ChildBegan of the parent's translator
}

// Line adds a line to the agent.
func (s *Split) Line(l []byte) { s.Lines = append(s.Lines, l) }

// To adds a line for a lane.
func (s *Split) To(lane Lane, l []byte) { s.Parts = append(s.Parts, Part{Lane: lane, Line: l}) }

// Born adds a birth.
func (s *Split) Born(lane Lane, b Birth) { s.Parts = append(s.Parts, Part{Lane: lane, Born: &b}) }

// Over ends a lane.
func (s *Split) Over(lane Lane) { s.Parts = append(s.Parts, Part{Lane: lane, Over: true}) }

// Parent is a Conn that carries sub-agents.
type Parent interface {
	Conn
	// Child gives the connection of a sub-agent by its native id, once; ok is false when it is not, or no longer, there. What
	// it has said so far comes first. Its Output ends when the sub-agent is done, with a clean Exit, or with the connection.
	Child(nativeID string) (c Conn, ok bool)
}
