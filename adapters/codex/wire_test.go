package codex_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/codex"
	"github.com/ringmaster-agents/ringmaster/adapters/conformance"
)

// wire is a connection to an agent that the test plays: splitter, lanes and their translators, as the live driver couples them.
type wire struct {
	t      testing.TB
	s      adapters.Splitter
	newest adapters.Lane
	lanes  map[adapters.Lane]*laneEnd
	births map[adapters.Lane]adapters.Birth
	over   map[adapters.Lane]bool
	lines  []string // to the agent
	given  int      // bytes of the agent's lines
	strict bool     // lines to the agent are JSON-RPC
}

// laneEnd is the session's end of a lane.
type laneEnd struct {
	tr     adapters.Translator
	ledger conformance.Ledger
	said   []adapters.Draft
	lines  []string // of the agent
}

func newWire(t testing.TB) *wire { return wireTo(t, adapters.Spec{}) }

func wireTo(t testing.TB, spec adapters.Spec) *wire {
	return &wire{
		t: t, s: codex.Agent{}.Splitter(spec), lanes: map[adapters.Lane]*laneEnd{}, births: map[adapters.Lane]adapters.Birth{},
		over: map[adapters.Lane]bool{},
	}
}

// do calls the splitter and passes on what it says, until nobody has anything more to say.
func (c *wire) do(call func(out *adapters.Split)) {
	c.t.Helper()
	var out adapters.Split
	call(&out)
	for _, l := range out.Lines {
		if c.strict && !json.Valid(l) || bytes.ContainsAny(l, "\r\n") {
			c.t.Fatalf("no line: %q", l)
		}
		c.lines = append(c.lines, string(l))
	}
	for _, p := range out.Parts {
		end := c.lanes[p.Lane]
		switch {
		case p.Born != nil:
			if p.Lane != c.newest+1 {
				c.t.Fatalf("lane %d is born, want %d", p.Lane, c.newest+1)
			}
			if b := p.Born; b.Parent != 0 && c.lanes[b.Parent] == nil {
				c.t.Fatalf("lane %d is born of lane %d, which is not there", p.Lane, b.Parent)
			}
			c.births[p.Lane] = *p.Born
			c.begin(p.Lane, adapters.Spec{NativeSessionID: p.Born.NativeID, Child: p.Born.Parent != 0})
		case end == nil:
			c.t.Fatalf("a part for lane %d, which is not there", p.Lane)
		case c.over[p.Lane]:
			c.t.Fatalf("a part for lane %d, which is over", p.Lane)
		case p.Over:
			c.over[p.Lane] = true
		case p.Sent:
			c.say(p.Lane, func(out *adapters.Output) { end.tr.Sent(p.Line, out) })
		default:
			end.lines = append(end.lines, string(p.Line))
			c.say(p.Lane, func(out *adapters.Output) { end.tr.Line(p.Line, out) })
		}
	}
}

func (c *wire) begin(lane adapters.Lane, spec adapters.Spec) {
	c.t.Helper()
	c.newest = lane
	end := &laneEnd{tr: codex.Agent{}.Translator(spec)}
	c.lanes[lane] = end
	c.say(lane, end.tr.Start)
}

// say calls a translator and hands its lines to the splitter.
func (c *wire) say(lane adapters.Lane, call func(out *adapters.Output)) {
	c.t.Helper()
	var out adapters.Output
	call(&out)
	end := c.lanes[lane]
	for _, d := range out.Drafts {
		if problem := end.ledger.Take(d); problem != "" {
			c.t.Fatalf("lane %d: %s: %s", lane, conformance.Describe(d), problem)
		}
		end.said = append(end.said, d)
	}
	for _, l := range out.Lines {
		c.do(func(out *adapters.Split) { c.s.Say(lane, l, out) })
	}
}

func (c *wire) join(spec adapters.Spec) adapters.Lane {
	c.t.Helper()
	var lane adapters.Lane
	var parts adapters.Split
	lane = c.s.Join(spec, &parts)
	c.begin(lane, spec)
	c.do(func(out *adapters.Split) { *out = parts })
	return lane
}

func (c *wire) command(lane adapters.Lane, cmd adapters.Command) {
	c.t.Helper()
	if end := c.lanes[lane]; end != nil {
		c.say(lane, func(out *adapters.Output) { end.tr.Command(cmd, out) })
	}
}

// agent has the agent say lines.
func (c *wire) agent(lines ...string) {
	c.t.Helper()
	for _, l := range lines {
		c.do(func(out *adapters.Split) { c.s.Line([]byte(l), out) })
	}
}

// heard gives what the agent heard since the last call, one request per line: method and parameters, with the id where ids is.
func (c *wire) heard() string {
	c.t.Helper()
	lines := c.lines
	c.lines = nil
	return strings.Join(lines, "\n")
}

// handshake joins a session and answers its start with a thread of this id.
func (c *wire) session(thread string) adapters.Lane {
	c.t.Helper()
	lane := c.join(adapters.Spec{Cwd: "/w"})
	c.answer("thread/start", `{"thread":{"id":"`+thread+`","cliVersion":"0.169.0"},"model":"m","sandbox":{"type":"workspaceWrite"}}`)
	c.answer("model/list", `{"data":[]}`)
	return lane
}

// answer answers the newest request of a method.
func (c *wire) answer(method, result string) { c.t.Helper(); c.respond(method, `"result":`+result) }

// refuse answers it with an error.
func (c *wire) refuse(method, message string) {
	c.t.Helper()
	c.respond(method, `"error":{"code":-32600,"message":`+string(mustJSON(message))+`}`)
}

func (c *wire) respond(method, rest string) {
	c.t.Helper()
	for i := len(c.lines) - 1; i >= 0; i-- {
		var m struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
		}
		if json.Unmarshal([]byte(c.lines[i]), &m) == nil && m.Method == method {
			c.lines = append(c.lines[:i], c.lines[i+1:]...)
			c.agent(`{"id":` + string(m.ID) + `,` + rest + `}`)
			return
		}
	}
	c.t.Fatalf("nobody asked for %s; heard %q", method, c.lines)
}

func mustJSON(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}

// all describes what a lane said since the last call.
func (c *wire) all(lane adapters.Lane) string {
	var list []string
	for _, d := range c.lanes[lane].said {
		list = append(list, conformance.Describe(d))
	}
	c.lanes[lane].said = nil
	return strings.Join(list, "\n")
}
