package codex_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

const shaken = `{"id":"rm0:n1","result":{"userAgent":"x"}}`

// ready is a connection after its handshake.
func ready(t *testing.T) *wire {
	t.Helper()
	c := newWire(t)
	c.strict = true
	c.do(func(out *adapters.Split) { c.s.Start(out) })
	c.agent(shaken)
	c.heard()
	return c
}

// same compares texts and shows where they part.
func same(t *testing.T, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestHandshake: what lanes say waits for the answer to initialize, and follows initialized.
func TestHandshake(t *testing.T) {
	c := newWire(t)
	c.do(func(out *adapters.Split) { c.s.Start(out) })
	c.join(adapters.Spec{Cwd: "/a"})
	c.join(adapters.Spec{Cwd: "/b", Model: "m"})
	same(t, c.heard(), `{"id":"rm0:n1","method":"initialize","params":{"clientInfo":{"name":"ringmaster","title":"Ringmaster","version":"1"},"capabilities":{"experimentalApi":true}}}`)
	c.agent(shaken)
	c.agent(shaken) // once is enough
	same(t, c.heard(), `{"method":"initialized"}
{"id":"rm1:st1","method":"thread/start","params":{"cwd":"/a"}}
{"id":"rm2:st1","method":"thread/start","params":{"cwd":"/b","model":"m"}}`)
	c.join(adapters.Spec{Cwd: "/c"})
	same(t, c.heard(), `{"id":"rm3:st1","method":"thread/start","params":{"cwd":"/c"}}`)
}

func TestHandshakeRefused(t *testing.T) {
	c := newWire(t)
	c.do(func(out *adapters.Split) { c.s.Start(out) })
	a := c.join(adapters.Spec{Cwd: "/a"})
	c.agent(`{"id":"rm0:n1","error":{"code":-32600,"message":"not you"}}`)
	same(t, c.all(a), `notice: error thread_start_failed "not you"`)
	b := c.join(adapters.Spec{Cwd: "/b"})
	same(t, c.all(b), `notice: error thread_start_failed "not you"`)
}

// TestIDs: the same id in two lanes becomes two ids, and comes back as it was; ids of any kind.
func TestIDs(t *testing.T) {
	c := ready(t)
	a, b := c.join(adapters.Spec{}), c.join(adapters.Spec{})
	c.heard()
	for _, id := range []string{`7`, `"7"`, `"a\"b:n1"`, `-1.5e3`} {
		for _, lane := range []adapters.Lane{a, b} {
			c.do(func(out *adapters.Split) {
				c.s.Say(lane, fmt.Appendf(nil, `{"method":"model/list","id":%s,"params":{"x":[1,{"id":3}]}}`, id), out)
			})
		}
		said := c.lines
		c.heard()
		if len(said) != 2 || said[0] == said[1] {
			t.Fatalf("%s became %q", id, said)
		}
		for i, lane := range []adapters.Lane{a, b} {
			var m struct {
				ID     json.RawMessage
				Params json.RawMessage
			}
			if err := json.Unmarshal([]byte(said[i]), &m); err != nil || string(m.Params) != `{"x":[1,{"id":3}]}` {
				t.Fatalf("%s: %v", said[i], err)
			}
			c.lanes[lane].lines = nil
			c.agent(`{"result":{"id":1},"id":` + string(m.ID) + `}`)
			same(t, strings.Join(c.lanes[lane].lines, "\n"), `{"id":`+id+`,"result":{"id":1}}`)
		}
	}
	c.agent(`{"id":"rm9:n1","result":{}}`, `{"id":"rm1:x","result":{}}`, `{"id":12,"result":{}}`) // of nobody
}

func delta(thread, turn, item, text string) string {
	return fmt.Sprintf(`{"method":"item/agentMessage/delta","params":{"threadId":%q,"turnId":%q,"itemId":%q,"delta":%q},"emittedAtMs":1}`, thread, turn, item, text)
}

func started(thread, turn string) string {
	return fmt.Sprintf(`{"method":"turn/started","params":{"threadId":%q,"turn":{"id":%q,"rootTurnId":%q,"status":"inProgress"}}}`, thread, turn, turn)
}

func completed(thread, turn, status string) string {
	return fmt.Sprintf(`{"method":"turn/completed","params":{"threadId":%q,"turn":{"id":%q,"status":%q,"error":null}}}`, thread, turn, status)
}

func item(event, thread, turn, rest string) string {
	return fmt.Sprintf(`{"method":"item/%s","params":{"item":{%s},"threadId":%q,"turnId":%q}}`, event, rest, thread, turn)
}

// TestLanes: lines of two threads in any mixture reach each its own session, whole.
// Proves: D4.2.runtime/shared
func TestLanes(t *testing.T) {
	c := ready(t)
	a, b := c.session("A"), c.session("B")
	c.all(a)
	c.all(b)
	c.agent(started("A", "1"), started("B", "2"))
	for _, th := range []struct{ thread, turn string }{{"A", "1"}, {"B", "2"}} {
		c.agent(item("started", th.thread, th.turn, `"type":"agentMessage","id":"m","text":""`))
	}
	for i := range 6 {
		c.agent(delta("A", "1", "m", fmt.Sprint("a", i)), delta("B", "2", "m", fmt.Sprint("b", i)))
	}
	c.agent(item("completed", "B", "2", `"type":"agentMessage","id":"m","text":"b0b1b2b3b4b5"`), completed("B", "2", "completed"),
		item("completed", "A", "1", `"type":"agentMessage","id":"m","text":"a0a1a2a3a4a5"`), completed("A", "1", "interrupted"))
	for lane, want := range map[adapters.Lane]string{a: "a", b: "b"} {
		status := map[string]string{"a": "interrupted", "b": "completed"}[want]
		text := strings.ReplaceAll("x0x1x2x3x4x5", "x", want)
		var deltas string
		for i := range 6 {
			deltas += fmt.Sprintf("entry 1 changed: {\"op\":\"text_append\",\"text\":\"%s%d\"}\n", want, i)
		}
		same(t, c.all(lane), "turn began\nentry 1 opened: assistant_message id m {\"role\":\"assistant\",\"text\":\"\"}\n"+deltas+
			"entry 1 closed: {\"role\":\"assistant\",\"text\":\""+text+"\"}\nturn ended: "+status)
	}
}

// TestEarlyNews: notifications of a thread may come before the response that says whose it is, also while two threads start.
func TestEarlyNews(t *testing.T) {
	c := ready(t)
	a, b := c.join(adapters.Spec{}), c.join(adapters.Spec{})
	c.agent(`{"method":"thread/started","params":{"thread":{"id":"B","name":"second"}}}`,
		`{"method":"mcpServer/startupStatus/updated","params":{"threadId":"A","name":"tiny","status":"failed","error":"gone"}}`)
	if c.newest != b {
		t.Fatal("a lane was born of a thread that is about to be answered")
	}
	c.agent(`{"id":"rm2:st1","result":{"thread":{"id":"B"}}}`)
	if got := c.all(b); !strings.Contains(got, `"title":"second"`) {
		t.Errorf("got %s", got)
	}
	c.agent(`{"id":"rm1:st1","result":{"thread":{"id":"A"}}}`)
	if got := c.all(a); !strings.Contains(got, "mcp_failed") {
		t.Errorf("got %s", got)
	}
}

// TestStrangers: threads of other clients get lanes without a parent, and what is asked about them no answer of ours on a server
// that is not ours.
func TestStrangers(t *testing.T) {
	const asks = `{"method":"item/fileChange/requestApproval","id":5,"params":{"threadId":"Z","turnId":"9","itemId":"i"}}`
	for _, attached := range []bool{false, true} {
		t.Run(fmt.Sprint("attached ", attached), func(t *testing.T) {
			spec := adapters.Spec{}
			if attached {
				spec.Endpoint = &adapters.Endpoint{URL: "ws://127.0.0.1:1"}
			}
			c := wireTo(t, spec)
			c.do(func(out *adapters.Split) { c.s.Start(out) })
			c.agent(shaken)
			a := c.session("A")
			c.heard()
			c.agent(`{"method":"thread/status/changed","params":{"threadId":"Y","status":{"type":"active","activeFlags":[]}}}`)
			if c.newest != a {
				t.Fatal("a mere status began a lane")
			}
			c.agent(`{"method":"thread/started","params":{"thread":{"id":"Z","parentThreadId":null}}}`)
			if b, ok := c.births[2]; !ok || b.Parent != 0 || b.NativeID != "Z" {
				t.Fatalf("births: %+v", c.births)
			}
			c.heard()
			c.agent(asks)
			want := `{"id":5,"error":{"code":-32601,"message":"no session here has this thread"}}`
			if attached {
				want = ""
			}
			same(t, c.heard(), want)
			c.agent(`{"method":"thread/closed","params":{"threadId":"Z"}}`)
			if c.over[2] != attached {
				t.Errorf("over: %v", c.over)
			}
		})
	}
}

// TestUnansweredRequests: a request that no session can answer is answered, so that no turn hangs.
func TestUnansweredRequests(t *testing.T) {
	c := ready(t)
	c.agent(`{"method":"attestation/generate","id":"x","params":{}}`)
	same(t, c.heard(), `{"id":"x","error":{"code":-32601,"message":"no session here has this thread"}}`)
	a := c.session("A")
	c.heard()
	c.agent(`{"method":"attestation/generate","id":1,"params":{}}`, `{"method":"moon/ask","id":2,"params":{"threadId":"A"}}`)
	same(t, c.heard(), `{"id":1,"error":{"code":-32601,"message":"not supported here: attestation/generate"}}
{"id":2,"error":{"code":-32601,"message":"not supported here: moon/ask"}}`)
	if got := c.all(a); !strings.Contains(got, "native: moon/ask") {
		t.Errorf("got %s", got)
	}
}

// TestSubAgents: a sub-agent's lane is born of the item that starts it, or of its own first lines.
func TestSubAgents(t *testing.T) {
	parent := func(t *testing.T) (*wire, adapters.Lane) {
		c := ready(t)
		a := c.session("A")
		c.agent(started("A", "1"))
		c.all(a)
		return c, a
	}
	for _, x := range []struct{ name, line string }{
		{"activity", item("started", "A", "1", `"type":"subAgentActivity","id":"s","kind":"started","agentThreadId":"K","agentPath":"/k"`)},
		{"spawn call", item("completed", "A", "1", `"type":"collabAgentToolCall","id":"s","tool":"spawnAgent","status":"completed","prompt":"count","receiverThreadIds":["K"]`)},
		{"its thread", `{"method":"thread/started","params":{"thread":{"id":"K","parentThreadId":"A"}}}`},
		{"the source of its thread", `{"method":"thread/started","params":{"thread":{"id":"K","source":{"subAgent":{"thread_spawn":{"parent_thread_id":"A"}}}}}}`},
		{"its turn", `{"method":"turn/started","params":{"threadId":"K","turn":{"id":"2","rootTurnId":"1"}}}`},
	} {
		t.Run(x.name, func(t *testing.T) {
			c, a := parent(t)
			c.agent(x.line)
			if b := c.births[2]; b.Parent != a || b.NativeID != "K" {
				t.Fatalf("births: %+v", c.births)
			}
			if got := c.all(a); !strings.Contains(got, "child began: K") {
				t.Errorf("the parent said %s", got)
			}
			c.agent(started("K", "2"), delta("K", "2", "m", "counting"))
			if got := c.all(2); !strings.Contains(got, "counting") || !strings.Contains(got, "turn began") {
				t.Errorf("the child said %s", got)
			}
			same(t, c.all(a), "")
			c.agent(item("completed", "A", "1", `"type":"collabAgentToolCall","id":"c","tool":"closeAgent","status":"completed","receiverThreadIds":["K"]`))
			if !c.over[2] {
				t.Error("the child is not over")
			}
		})
	}
	t.Run("heard of before", func(t *testing.T) {
		c, a := parent(t)
		c.agent(`{"method":"thread/status/changed","params":{"threadId":"K","status":{"type":"idle"}}}`)
		c.agent(item("completed", "A", "1", `"type":"collabAgentToolCall","id":"s","tool":"sendInput","status":"completed","receiverThreadIds":["K"]`))
		if c.newest != a {
			t.Fatal("a message began a lane")
		}
		c.agent(started("K", "2"))
		if b := c.births[2]; b.Parent != a || len(c.lanes[2].lines) != 2 {
			t.Errorf("births: %+v, lines %q", c.births, c.lanes[2].lines)
		}
	})
}

// TestConnectionNews: what concerns the connection is said once; warnings everybody hears.
func TestConnectionNews(t *testing.T) {
	c := ready(t)
	c.agent(`{"method":"configWarning","params":{"summary":"early"}}`)
	a, b := c.session("A"), c.session("B")
	if got := c.all(a); !strings.Contains(got, "early") {
		t.Errorf("got %s", got)
	}
	c.all(b)
	c.agent(`{"method":"configWarning","params":{"summary":"late"}}`, `{"method":"moon/phase","params":{}}`, `no JSON`)
	same(t, c.all(a), "notice: warning config_warning \"late\"\nnative: moon/phase {\"method\":\"moon/phase\",\"params\":{}}\nnotice: warning unparsable_line \"no JSON\"")
	same(t, c.all(b), `notice: warning config_warning "late"`)
}

func TestLeave(t *testing.T) {
	clean := func(thread string, id int) string {
		return fmt.Sprintf(`{"id":"rm0:n%d","method":"thread/backgroundTerminals/clean","params":{"threadId":%q}}
{"id":"rm0:n%d","method":"thread/unsubscribe","params":{"threadId":%q}}`, id, thread, id+1, thread)
	}
	leave := func(c *wire, lane adapters.Lane) { c.do(func(out *adapters.Split) { c.s.Leave(lane, out) }) }
	t.Run("idle", func(t *testing.T) {
		c := ready(t)
		a := c.session("A")
		c.heard()
		leave(c, a)
		leave(c, a)
		same(t, c.heard(), clean("A", 2))
	})
	t.Run("in a turn, with a sub-agent at work", func(t *testing.T) {
		c := ready(t)
		a := c.session("A")
		c.agent(started("A", "1"), item("started", "A", "1", `"type":"subAgentActivity","id":"s","kind":"started","agentThreadId":"K"`), started("K", "2"))
		c.heard()
		leave(c, a)
		if !c.over[2] {
			t.Error("the sub-agent is not over")
		}
		same(t, c.heard(), `{"id":"rm0:n2","method":"turn/interrupt","params":{"threadId":"K","turnId":"2"}}
`+clean("K", 3)+`
{"id":"rm0:n5","method":"turn/interrupt","params":{"threadId":"A","turnId":"1"}}
`+clean("A", 6))
		c.agent(completed("A", "1", "interrupted"), delta("K", "2", "m", "x")) // of nobody
	})
	t.Run("while a turn begins", func(t *testing.T) {
		c := ready(t)
		a := c.session("A")
		c.command(a, adapters.Prompt{ID: "p", Text: "go"})
		leave(c, a)
		c.answer("turn/start", `{"turn":{"id":"1","status":"inProgress"}}`)
		same(t, c.heard(), "")
		c.agent(started("A", "1"))
		same(t, c.heard(), "{\"id\":\"rm0:n2\",\"method\":\"turn/interrupt\",\"params\":{\"threadId\":\"A\",\"turnId\":\"1\"}}\n"+clean("A", 3))
	})
	t.Run("while the thread begins", func(t *testing.T) {
		c := ready(t)
		a := c.join(adapters.Spec{})
		leave(c, a)
		c.answer("thread/start", `{"thread":{"id":"A"}}`)
		same(t, c.heard(), clean("A", 2))
	})
	t.Run("before the handshake", func(t *testing.T) {
		c := newWire(t)
		c.do(func(out *adapters.Split) { c.s.Start(out) })
		a := c.join(adapters.Spec{})
		c.join(adapters.Spec{Cwd: "/b"})
		c.heard()
		leave(c, a)
		c.agent(shaken)
		same(t, c.heard(), "{\"method\":\"initialized\"}\n{\"id\":\"rm2:st1\",\"method\":\"thread/start\",\"params\":{\"cwd\":\"/b\"}}")
	})
	t.Run("and back", func(t *testing.T) {
		c := ready(t)
		a := c.session("A")
		leave(c, a)
		c.heard()
		b := c.join(adapters.Spec{Resume: true, NativeSessionID: "A"})
		c.answer("thread/resume", `{"thread":{"id":"A","status":{"type":"idle"}}}`)
		if got := c.all(b); !strings.Contains(got, "ready: session \"A\"") {
			t.Errorf("got %s", got)
		}
	})
}
