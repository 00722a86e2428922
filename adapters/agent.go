package adapters

import (
	"context"
	"io"
	"net"
	"strings"
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Agent is one kind of foreign program: what it can do, how it is found and started, and who translates for it.
// Implementations are stateless values.
type Agent interface {
	// Name is the agent's name in the API: short, lower case.
	Name() string
	// Capabilities says what it can do.
	Capabilities() Capabilities
	// Find looks for the program on this machine. It may run it to ask for its version, bounded by ctx.
	Find(ctx context.Context) Installation
	// Launch says how to start the program for a session.
	Launch(spec Spec) Launch
	// Translator makes the translator of one connection.
	Translator(spec Spec) Translator
}

// Forgetter is an Agent whose own sessions are in the daemon's data folder, and go with the daemon's.
type Forgetter interface {
	Agent
	// Forget removes what is kept of one; nothing of it being there is no error.
	Forget(nativeID string) error
}

// Losing is an Agent that says what a turn comes to whose process was lost, as the agent itself has it when it resumes. For
// other agents it is an error.
type Losing interface {
	Agent
	LostTurn() protocol.TurnStatus
}

// LostTurn is what a turn of an agent comes to whose process was lost.
func LostTurn(a Agent) protocol.TurnStatus {
	if l, ok := a.(Losing); ok {
		return l.LostTurn()
	}
	return protocol.TurnError
}

// Capabilities is one row of the capability matrix. What it says, the conformance suite and the agent's recordings show.
type Capabilities struct {
	Steer     bool     // takes messages into a running turn
	Queue     bool     // has a queue of its own, which is not used: follow-ups wait in ours
	Resume    bool     // goes on with its own session after its process was lost
	Attach    bool     // can be attached to where it runs already
	Shared    bool     // one process serves many sessions
	Approvals []string // the answers it supports: allow_once, allow_always, deny, deny_stop
	Questions bool     // asks the user
	Images    bool     // takes images in prompts
	Models    bool     // the model can be switched in a running session
	Modes     bool     // so can the mode
	SubAgents bool     // has sub-agents, which are sessions of their own
	Usage     bool     // reports tokens
	Cost      bool     // reports cost
	MCP       bool     // can be given the daemon's MCP server (Spec.MCP)
}

// Installation is what Find found.
type Installation struct {
	Program string // path; empty: not found
	Version string // empty: not known
	Tested  bool   // the version is in the tested range
	Problem string // why it cannot be used, for people
	Hint    string // what mends it
	Late    bool   // the Problem is that the program did not answer in time: nothing says that it is not whole
}

// Spec is what a session wants of its agent.
type Spec struct {
	SessionID       string // the daemon's id of the session, a UUID
	NativeSessionID string // the agent's own id, once known
	Resume          bool   // the agent's own session exists: go on with it
	Program         string // from Find
	Version         string // from Find; empty: not known
	Cwd             string
	Model           string
	Mode            string
	Child           bool      // a sub-agent, whose lane is there already: nothing is started or resumed
	Endpoint        *Endpoint // where the agent runs already; nil: it is started
	// Known are the PersistentIDs of the newest entries of the log, oldest first, at most MaxKnown: with Resume, what the agent
	// tells of its past is not said again. With Endpoint, those are not among them that a daemon's end cut off while the agent went on.
	Known []string
	// Unbound are the newest entries of the log that have no PersistentID, oldest first, at most MaxUnbound: with Resume, an agent that
	// tells the ids of its past binds those that it finds again (EntryBound.ID).
	Unbound []Unbound
	// Recall says that a client named the agent's session, and that the log has nothing of it: with Resume, the agent's earlier conversation is
	// said, too: in one Output, so that a killed daemon's log has all of it or nothing. Past are the lines that a Silent agent keeps of it.
	Recall bool
	Past   [][]byte
	// Private is the daemon's data folder, absolute: an agent that can be told so keeps out of it. Empty: there is none.
	Private string
	// MCP is the daemon's own MCP server, which the agent is to use; nil: none. Only where Capabilities.MCP says so.
	MCP     *MCPServer
	MaxText int      // bytes of one text that go into the log, LeastText to MostText; 0: MaxText
	Args    []string // further arguments from the operator's configuration, never from clients
	Env     []string // the environment that the agent gets, already filtered
}

// TextLimit is how much of one text goes into drafts, in bytes.
func (s *Spec) TextLimit() int {
	if s.MaxText > 0 {
		return s.MaxText
	}
	return MaxText
}

// MaxKnown is how many ids Spec.Known has at most.
const MaxKnown = 512

// Endpoint is an agent that runs already.
type Endpoint struct {
	URL      string // http://, https://, ws:// or unix:///path, as the agent has it
	Username string
	Password string
}

// Launch is a process to start.
type Launch struct {
	Path string
	Args []string // without the program's name
	Dir  string
	Env  []string
}

// Variable is the value of a variable of an environment, of which the last one counts; empty: there is none.
func Variable(env []string, name string) (value string) {
	for _, e := range env {
		if n, v, _ := strings.Cut(e, "="); n == name {
			value = v
		}
	}
	return value
}

// Transport starts connections.
type Transport interface {
	// Start starts the agent; it returns when the program runs. The connection lives until Stop or its own end, whatever
	// becomes of ctx.
	Start(ctx context.Context, launch Launch) (Conn, error)
}

// Network is a Transport whose agents are reached through it as well, where they listen: agents in memory have no other network.
type Network interface {
	Transport
	// DialContext connects to an address, as net.Dialer does.
	DialContext(ctx context.Context, network, address string) (net.Conn, error)
}

// Dialer is how agents are reached that a transport has started, or that run already: by the machine's network, if it has none.
func Dialer(t Transport) func(ctx context.Context, network, address string) (net.Conn, error) {
	if n, ok := t.(Network); ok {
		return n.DialContext
	}
	return new(net.Dialer).DialContext
}

// Conn is one running agent. All methods are safe for concurrent use with each other; Output has one reader, Input one
// writer.
type Conn interface {
	// Output is what the agent says. It ends when the agent has ended, and at the latest a grace period after.
	Output() io.Reader
	// Input is what the agent hears; a write may block as long as the agent does not read. Close ends it.
	Input() io.WriteCloser
	// Stop asks the agent to end and ends it, with all its processes, when it has not after grace. It returns at once.
	Stop(grace time.Duration)
	// EndOrphans ends what commands have put beside the agent between two times: processes without a parent, and all that descends
	// from them. What the agent itself is the parent of stays: it knows of that. It returns at once, and does nothing where it cannot
	// tell whose orphans they are.
	EndOrphans(since, until time.Time)
	// Wait returns how the agent ended; it must be called once, after Output has ended. Nothing of the agent is left then.
	Wait() Exit
	// Process identifies the process for a later daemon; ok is false for agents without one.
	Process() (p Process, ok bool)
}

// Process identifies a process across daemons: a pid alone may have been given to somebody else.
type Process struct {
	PID       int    `json:"pid"`
	StartTime uint64 `json:"startTime"` // clock ticks since boot, from /proc
	Marker    string `json:"marker"`    // value of MarkerEnv
}

// MarkerEnv is the environment variable by which the agent's processes are found again, also those that left its
// process group.
const MarkerEnv = "RINGMASTER_MARKER"
