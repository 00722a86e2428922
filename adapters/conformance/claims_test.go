package conformance

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// mime is an agent that does what its recordings say: each line is the name of a draft. What it can, and which commands it only
// pretends to carry out, is as a test wants it.
type mime struct {
	can      adapters.Capabilities
	pretends string // "answer", "opposite", "steer", "image", "model", "refuse", "token", "token said", "token shown",
	// "distrust", "trust"
}

func (mime) Name() string                               { return "mime" }
func (m mime) Capabilities() adapters.Capabilities      { return m.can }
func (mime) Find(context.Context) adapters.Installation { return adapters.Installation{} }
func (m mime) Launch(spec adapters.Spec) (l adapters.Launch) {
	if !m.can.MCP || m.pretends == "token" {
		return l
	}
	if l.Env = spec.MCP.Environment(spec.Env); m.pretends == "token shown" {
		l.Args, l.Env = []string{"--token", spec.MCP.Token}, append(l.Env, "CONFIG="+spec.MCP.Token)
	}
	return l
}

func (m mime) Translator(spec adapters.Spec) adapters.Translator {
	return &mimeTranslator{pretends: m.pretends, mcp: spec.MCP}
}

type mimeTranslator struct {
	pretends string
	mcp      *adapters.MCPServer
}

func (m *mimeTranslator) Start(out *adapters.Output) {
	if m.pretends == "token said" && m.mcp != nil {
		out.Line([]byte(m.mcp.Token))
	}
}

func (m *mimeTranslator) Line(line []byte, out *adapters.Output) {
	var said struct{ Say, Server, Tool string }
	_ = json.Unmarshal(line, &said)
	approval := protocol.RequestOpened{Kind: protocol.RequestApproval, Options: []protocol.Option{{ID: protocol.AllowOnce}, {ID: protocol.DenyContinue}}}
	switch said.Say {
	case "ready":
		out.Draft(adapters.Ready{})
	case "turn":
		out.Draft(adapters.TurnBegan{})
	case "approval":
		out.Draft(adapters.RequestOpened{Key: 1, Request: approval})
	case "mcp":
		kind, subject, own := m.mcp.Asked(said.Tool, []byte(`{"session_id":"a","session_ids":["b","c"]}`))
		if !own || !m.mcp.Named(said.Server) && m.pretends != "trust" || m.pretends == "distrust" {
			kind, subject = protocol.ToolOther, ""
		}
		approval.ToolKind, approval.Subject = kind, subject
		out.Draft(adapters.RequestOpened{Key: 3, Request: approval})
	case "question":
		out.Draft(adapters.RequestOpened{Key: 2, Request: protocol.RequestOpened{Kind: protocol.RequestQuestion}})
	case "used":
		out.Draft(adapters.Used{Usage: protocol.TokenUsage{Cost: &protocol.Cost{Total: 1}}})
	}
}

func (m *mimeTranslator) Command(c adapters.Command, out *adapters.Output) {
	line := map[string]any{}
	switch c := c.(type) {
	case adapters.Answer:
		if m.pretends == "answer" {
			return
		}
		if line["answer"] = c.Outcome; m.pretends == "opposite" {
			line["answer"] = "yes"
		}
	case adapters.Prompt:
		if c.Steer && m.pretends == "steer" {
			return
		}
		line["prompt"] = c.Text
		if len(c.Images) > 0 && m.pretends != "image" {
			line["image"] = base64.StdEncoding.EncodeToString(c.Images[0].Data)
		}
	case adapters.SetModel:
		if m.pretends == "refuse" {
			out.Draft(adapters.SettingAnswered{ID: c.ID, Result: adapters.SettingRefused, Error: "no"})
			return
		}
		if m.pretends == "model" {
			return
		}
		line["model"] = c.Model
	case adapters.Interrupt, adapters.SetMode:
	}
	b, err := json.Marshal(line)
	if err != nil {
		panic(err)
	}
	out.Line(b)
}

func (m *mimeTranslator) Sent([]byte, *adapters.Output)        {}
func (m *mimeTranslator) Exit(adapters.Exit, *adapters.Output) {}

// notes takes what a test would complain of.
type notes struct {
	testing.TB
	list []string
}

func (n *notes) Helper()                        {}
func (n *notes) Error(a ...any)                 { n.list = append(n.list, fmt.Sprint(a...)) }
func (n *notes) Errorf(format string, a ...any) { n.list = append(n.list, fmt.Sprintf(format, a...)) }

// A translator that understands nothing passes nothing off as done.
func TestEssentials(t *testing.T) {
	text := `{"t_ms":1,"dir":"out","data":{"say":"ready"}}` + "\n"
	s := Suite{Agent: mime{}, Recordings: fstest.MapFS{"all.jsonl": {Data: []byte(text)}}}
	heard := &notes{TB: t}
	s.essentials(heard, []string{"all.jsonl"})
	if len(heard.list) != 5 || strings.Contains(heard.list[0], "ready") || !strings.Contains(heard.list[0], "no recording shows a message") {
		t.Errorf("complaints: %q", heard.list)
	}
}

func TestClaims(t *testing.T) {
	all := adapters.Capabilities{
		Steer: true, Questions: true, Images: true, Models: true, Usage: true, Cost: true, Resume: true,
		Approvals: []string{protocol.AllowOnce, protocol.DenyContinue},
	}
	with := func(change func(c *adapters.Capabilities)) adapters.Capabilities {
		c := all
		change(&c)
		return c
	}
	everything := []string{"ready", "turn", "approval", "question", "used"}
	for _, c := range []struct {
		name  string
		agent mime
		says  []string // by each of two connections
		want  string   // part of the one complaint; empty: there is none
	}{
		{"all that it says", mime{can: all}, everything, ""},
		{"nothing seen", mime{can: adapters.Capabilities{Usage: true}}, []string{"ready"}, "Usage: tokens: claimed, and no recording shows it"},
		{"not claimed", mime{can: with(func(c *adapters.Capabilities) { c.Cost = false })}, everything, "Cost: a cost: shown by a recording, and not claimed"},
		{"a question that is not claimed", mime{can: with(func(c *adapters.Capabilities) { c.Questions = false })}, everything, "Questions: a request that is no approval: shown"},
		{"an answer nobody offers", mime{can: with(func(c *adapters.Capabilities) { c.Approvals = append(c.Approvals, protocol.DenyStop) })}, everything, "deny_stop is claimed, and no recorded approval offers it"},
		{"an answer that is not claimed", mime{can: with(func(c *adapters.Capabilities) { c.Approvals = c.Approvals[:1] })}, everything, "deny is offered in"},
		{"sub-agents", mime{can: with(func(c *adapters.Capabilities) { c.SubAgents = true })}, everything, "SubAgents: a sub-agent: claimed"},
		{"shared", mime{can: with(func(c *adapters.Capabilities) { c.Shared = true })}, everything, "Shared: claimed true, and Connection says false"},
		{"attach", mime{can: with(func(c *adapters.Capabilities) { c.Attach = true })}, everything, "Attach: claimed, and the agent is no Connector"},
		{"resume", mime{can: adapters.Capabilities{Resume: true}}, []string{"turn"}, "Resume: claimed, and in no recording"},
		{"no answer", mime{can: all, pretends: "answer"}, everything, "nothing is said to the agent"},
		{"one answer for all", mime{can: all, pretends: "opposite"}, everything, "says the same to the agent as its opposite"},
		{"no steering", mime{can: all, pretends: "steer"}, everything, "Steer: the agent is not told"},
		{"no place for steering", mime{can: adapters.Capabilities{Steer: true}}, []string{"ready"}, "no recording has a place for it"},
		{"no image", mime{can: all, pretends: "image"}, everything, "Images: the agent does not get the image"},
		{"no model", mime{can: all, pretends: "model"}, everything, "Models: claimed, and neither is the agent told nor the session answered"},
		{"an MCP server", mime{can: with(func(c *adapters.Capabilities) { c.MCP = true })}, everything, ""},
		{"a tool of the daemon's unknown", mime{can: with(func(c *adapters.Capabilities) { c.MCP = true }), pretends: "distrust"}, everything, "session_get of the daemon's server is asked for as"},
		{"a stranger's tool trusted", mime{can: with(func(c *adapters.Capabilities) { c.MCP = true }), pretends: "trust"}, everything, "session_get of the server ringmaster is taken for the daemon's"},
		{"no token", mime{can: with(func(c *adapters.Capabilities) { c.MCP = true }), pretends: "token"}, everything, "claimed true, and the environment has the token: false"},
		{"a token in a line", mime{can: all, pretends: "token said"}, everything, "the token is in a line to the agent"},
		{"a token in an argument", mime{can: with(func(c *adapters.Capabilities) { c.MCP = true }), pretends: "token shown"}, everything, "the token is on the command line"},
		{"a token twice", mime{can: with(func(c *adapters.Capabilities) { c.MCP = true }), pretends: "token shown"}, everything, `the token is in "CONFIG=`},
		{"model refused", mime{can: all, pretends: "refuse"}, everything, "Models: claimed, and refused: no"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var text strings.Builder
			for range 2 {
				text.WriteString(`{"t_ms":1,"dir":"meta","data":{"event":"spawn","cwd":"/work"}}` + "\n")
				for _, say := range c.says {
					fmt.Fprintf(&text, `{"t_ms":1,"dir":"out","data":{"say":%q}}`+"\n", say)
				}
				text.WriteString(`{"t_ms":2,"dir":"meta","data":{"event":"exit","status":"exit 0"}}` + "\n")
			}
			s := Suite{Agent: c.agent, Recordings: fstest.MapFS{"all.jsonl": {Data: []byte(text.String())}}}
			s.AsksMCP = func(server, tool, _ string) []string {
				return []string{fmt.Sprintf(`{"say":"mcp","server":%q,"tool":%q}`, server, tool)}
			}
			heard := &notes{TB: t}
			s.claims(heard, []string{"all.jsonl"})
			if c.want == "" && len(heard.list) > 0 || c.want != "" && (len(heard.list) == 0 || !strings.Contains(strings.Join(heard.list, "\n"), c.want)) {
				t.Errorf("complaints: %q, want %q", heard.list, c.want)
			}
		})
	}
}
