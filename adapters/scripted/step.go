package scripted

import (
	"encoding/json"
	"fmt"
	"math"
	"syscall"
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
}

// Ignore makes the agent deaf to the end of its stdin, to SIGTERM, to abort.
type Ignore struct {
	What []string `json:"what"`
}

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

// maxDepth bounds how deep branches nest.
const maxDepth = 32

func parseSteps(data json.RawMessage, where string) ([]Step, error) {
	return parseList(data, where, 0)
}

func parseList(data json.RawMessage, where string, depth int) ([]Step, error) {
	if len(data) == 0 {
		return nil, nil
	}
	if depth > maxDepth {
		return nil, fmt.Errorf("script: %s: nested deeper than %d", where, maxDepth)
	}
	var list []json.RawMessage
	if err := strict(data, &list); err != nil {
		return nil, fmt.Errorf("script: %s: %w", where, err)
	}
	steps := make([]Step, 0, len(list))
	for i, raw := range list {
		s, err := parseStep(raw, fmt.Sprintf("%s[%d]", where, i), depth)
		if err != nil {
			return nil, err
		}
		steps = append(steps, s)
	}
	return steps, nil
}

// parseStep reads {"NAME": {…}}.
func parseStep(data json.RawMessage, where string, depth int) (Step, error) {
	var one map[string]json.RawMessage
	if err := json.Unmarshal(data, &one); err != nil {
		return nil, fmt.Errorf("script: %s: %w", where, err)
	}
	if len(one) != 1 {
		return nil, fmt.Errorf("script: %s: a step is an object with one member, its name", where)
	}
	for name, body := range one {
		s, err := decodeStep(name, body, where+"."+name, depth)
		if err != nil {
			return nil, err
		}
		return s, nil
	}
	panic("unreachable")
}

func decodeStep(name string, body json.RawMessage, where string, depth int) (Step, error) {
	switch name {
	case "say":
		return decode[Say](body, where)
	case "think":
		return decode[Think](body, where)
	case "tool":
		return decodeTool(body, where, depth)
	case "ask":
		return decodeAsk(body, where, depth)
	case "retry":
		return decode[Retry](body, where)
	case "compact":
		return decode[Compact](body, where)
	case "fail":
		return decode[Fail](body, where)
	case "wait":
		return decode[Wait](body, where)
	case "raw":
		return decode[Raw](body, where)
	case "usage":
		return decode[Usage](body, where)
	case "slow":
		return decode[Slow](body, where)
	case "stall":
		return decode[Stall](body, where)
	case "die":
		d, err := decode[Die](body, where)
		if _, known := signals[d.Signal]; err == nil && d.Signal != "" && !known {
			err = fmt.Errorf("script: %s: unknown signal %q", where, d.Signal)
		}
		return d, err
	case "giant":
		g, err := decode[Giant](body, where)
		return g, limit(err, where, g.Bytes, math.MaxInt64)
	case "garbage":
		g, err := decode[Garbage](body, where)
		return g, limit(err, where, g.Bytes, math.MaxInt64)
	case "flood":
		f, err := decode[Flood](body, where)
		return f, limit(err, where, int64(f.Size), 1<<20)
	case "ignore":
		i, err := decode[Ignore](body, where)
		if err == nil {
			err = checkIgnore(i.What)
		}
		return i, err
	case "stderr":
		return decode[Stderr](body, where)
	case "spawn":
		return decode[Spawn](body, where)
	}
	return nil, fmt.Errorf("script: %s: unknown step", where)
}

func limit(err error, where string, n, most int64) error {
	if err == nil && (n < 0 || n > most) {
		return fmt.Errorf("script: %s: %d is not between 0 and %d", where, n, most)
	}
	return err
}

func decode[T any](body json.RawMessage, where string) (T, error) {
	var t T
	if err := strict(body, &t); err != nil {
		return t, fmt.Errorf("script: %s: %w", where, err)
	}
	return t, nil
}

func decodeTool(body json.RawMessage, where string, depth int) (Step, error) {
	w, err := decode[struct {
		Tool
		Allowed json.RawMessage `json:"allowed"`
		Denied  json.RawMessage `json:"denied"`
	}](body, where)
	if err != nil {
		return nil, err
	}
	t := w.Tool
	if t.Name == "" {
		return nil, fmt.Errorf("script: %s: a tool needs a name", where)
	}
	if len(t.Args) == 0 {
		t.Args = json.RawMessage("{}")
	}
	if t.Allowed, err = parseList(w.Allowed, where+".allowed", depth+1); err != nil {
		return nil, err
	}
	t.Denied, err = parseList(w.Denied, where+".denied", depth+1)
	return t, err
}

func decodeAsk(body json.RawMessage, where string, depth int) (Step, error) {
	w, err := decode[struct {
		Ask
		Then json.RawMessage `json:"then"`
		Else json.RawMessage `json:"else"`
	}](body, where)
	if err != nil {
		return nil, err
	}
	a := w.Ask
	switch a.Method {
	case "confirm", "select", "input", "editor":
	default:
		return nil, fmt.Errorf("script: %s: method %q is not one of confirm, select, input, editor", where, a.Method)
	}
	if a.Then, err = parseList(w.Then, where+".then", depth+1); err != nil {
		return nil, err
	}
	a.Else, err = parseList(w.Else, where+".else", depth+1)
	return a, err
}

var signals = map[string]syscall.Signal{
	"KILL": syscall.SIGKILL,
	"TERM": syscall.SIGTERM,
	"SEGV": syscall.SIGSEGV,
	"ABRT": syscall.SIGABRT,
	"HUP":  syscall.SIGHUP,
}
