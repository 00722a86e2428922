package scripted

import (
	"encoding/json"
	"fmt"
	"time"
)

// Step is one thing that the agent does.
//
//sumtype:decl
type Step interface{ step() }

// Pace says in which pieces a text is streamed, and how fast.
type Pace struct {
	Chunk int      `json:"chunk"` // characters of one piece; 10 by default
	Every Duration `json:"every"` // between two pieces
	Over  Duration `json:"over"`  // for the whole text, in place of Every
}

// Say streams text.
type Say struct {
	Text string `json:"text"`
	Pace
}

// Think streams thinking.
type Think struct {
	Text string `json:"text"`
	Pace
}

// Tool calls a tool. Nothing is executed: its output is in the script.
type Tool struct {
	Name    string          `json:"name"`
	ID      string          `json:"id"`   // of the call; made up by default
	Args    json.RawMessage `json:"args"` // an object; {} by default
	Output  []string        `json:"output"`
	Every   Duration        `json:"every"` // before each piece of the output and before the end
	Exit    int             `json:"exit"`
	Error   string          `json:"error"`   // ends the call as failed with this text
	Approve bool            `json:"approve"` // ask first
	Allowed []Step          `json:"-"`       // goes on with these after an approval
	Denied  []Step          `json:"-"`       // and with these after a denial
}

// MCP calls a tool of the MCP server that the agent was given. It is really called.
type MCP struct {
	Tool string          `json:"tool"`
	Args json.RawMessage `json:"args"` // an object; {} by default
	As   string          `json:"as"`   // {{AS}} is the result from here on, {{AS.MEMBER}} a member of it
}

// Ask asks the user with a dialog, inside a call of a tool.
type Ask struct {
	Name    string   `json:"name"`   // of the tool; ask_user by default
	Method  string   `json:"method"` // confirm, select, input or editor
	Title   string   `json:"title"`
	Message string   `json:"message"`
	Options []string `json:"options"`
	Then    []Step   `json:"-"` // goes on with these after an answer
	Else    []Step   `json:"-"` // and with these after a no or a cancellation
}

// Retry lets model requests fail and be repeated.
type Retry struct {
	Attempts int      `json:"attempts"` // how many fail; 1 by default
	Delay    Duration `json:"delay"`    // before the first repetition, then doubled; 2s by default
	Error    string   `json:"error"`
	Fail     bool     `json:"fail"` // the last one fails too, and the run with it
}

// Compact compacts the session in the middle of the run.
type Compact struct {
	Summary string   `json:"summary"`
	Reason  string   `json:"reason"` // threshold (default) or overflow
	Over    Duration `json:"over"`
}

// Fail ends the run with an error of the provider.
type Fail struct {
	Error string `json:"error"`
}

// Wait does nothing for a time.
type Wait struct {
	For Duration `json:"for"`
}

// Raw says a line as it is.
type Raw struct {
	Line string `json:"line"`
}

// Usage sets the tokens of the message that is being written, or of the next one.
type Usage struct {
	Input      int `json:"input"`
	Output     int `json:"output"`
	CacheRead  int `json:"cacheRead"`
	CacheWrite int `json:"cacheWrite"`
	Reasoning  int `json:"reasoning"`

	Unpriced bool `json:"unpriced"` // it does not say what they cost
}

// Slow delays every line from here on.
type Slow struct {
	Every Duration `json:"every"`
}

// Stall says nothing more until it is aborted or ended.
type Stall struct{}

// Die ends the agent's process.
type Die struct {
	Code   int    `json:"code"`
	Signal string `json:"signal"` // KILL, TERM, SEGV, ABRT, HUP: in place of a status
	Half   bool   `json:"half"`   // after half a line
}

// Giant says one line of so many bytes.
type Giant struct {
	Bytes int64 `json:"bytes"`
	NoEnd bool  `json:"noEnd"` // without its newline
}

// Garbage says random bytes, the same for the same seed, and a newline.
type Garbage struct {
	Bytes int64  `json:"bytes"`
	Seed  uint64 `json:"seed"`
}

// Flood streams deltas as fast as they are taken.
type Flood struct {
	Lines int64 `json:"lines"` // 0: for ever
	Size  int   `json:"size"`  // bytes of text in each; 8 by default

	// Seed, where it is not 0, gives each delta words of its own, as agents have: a text that repeats itself makes what stores it look better than it is.
	Seed uint64 `json:"seed"`
}

// Ignore makes the agent deaf to the end of its stdin, to SIGTERM, to abort.
type Ignore struct {
	What []string `json:"what"`
}

const (
	ignoreStdin = "stdin"
	ignoreTerm  = "term"
	ignoreAbort = "abort"
)

// Stderr writes to stderr.
type Stderr struct {
	Text  string `json:"text"`
	Times int    `json:"times"` // 1 by default
}

// Spawn starts a process that lives in a session of its own, as the tools of real agents do.
type Spawn struct {
	For      Duration `json:"for"`      // how long it lives; an hour by default
	Stubborn bool     `json:"stubborn"` // ignores SIGTERM
	Hold     bool     `json:"hold"`     // keeps the agent's stdout open
}

func (Say) step()     {}
func (Think) step()   {}
func (Tool) step()    {}
func (MCP) step()     {}
func (Ask) step()     {}
func (Retry) step()   {}
func (Compact) step() {}
func (Fail) step()    {}
func (Wait) step()    {}
func (Raw) step()     {}
func (Usage) step()   {}
func (Slow) step()    {}
func (Stall) step()   {}
func (Die) step()     {}
func (Giant) step()   {}
func (Garbage) step() {}
func (Flood) step()   {}
func (Ignore) step()  {}
func (Stderr) step()  {}
func (Spawn) step()   {}

// beforeReady says whether a step can be taken while there is no prompt.
func beforeReady(s Step) bool {
	switch s.(type) {
	case Wait, Raw, Usage, Slow, Stall, Die, Giant, Garbage, Ignore, Stderr, Spawn:
		return true
	case Say, Think, Tool, MCP, Ask, Retry, Compact, Fail, Flood:
		return false
	}
	return false
}

// Duration is a time span in JSON: "150ms".
type Duration time.Duration

// UnmarshalText reads a Go duration.
func (d *Duration) UnmarshalText(text []byte) error {
	v, err := time.ParseDuration(string(text))
	if err == nil && v < 0 {
		err = fmt.Errorf("duration %s is negative", v)
	}
	*d = Duration(v)
	return err
}
