package opencode_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/opencode"
)

// splits is a splitter whose parts are written down.
type splits struct {
	*testing.T
	s adapters.Splitter
}

func newSplits(t *testing.T) *splits { return &splits{t, opencode.Agent{}.Splitter(adapters.Spec{})} }

// says calls the splitter and compares what it says: "1<line" a part, "+2/1 id" a birth below lane 1, "-2" the end of a lane,
// ">line" a line to the agent.
func (s *splits) says(call func(*adapters.Split), want ...string) {
	s.Helper()
	var split adapters.Split
	call(&split)
	var got []string
	for _, p := range split.Parts {
		switch {
		case p.Born != nil:
			got = append(got, fmt.Sprintf("+%d/%d %s", p.Lane, p.Born.Parent, p.Born.NativeID))
		case p.Over:
			got = append(got, fmt.Sprintf("-%d", p.Lane))
		case p.Sent:
			got = append(got, fmt.Sprintf("%d>%s", p.Lane, p.Line))
		default:
			got = append(got, fmt.Sprintf("%d<%s", p.Lane, p.Line))
		}
	}
	for _, line := range split.Lines {
		got = append(got, ">"+string(line))
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		s.Errorf("said\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func (s *splits) line(line string, want ...string) {
	s.Helper()
	s.says(func(o *adapters.Split) { s.s.Line([]byte(line), o) }, want...)
}

func (s *splits) sent(line string, want ...string) {
	s.Helper()
	s.says(func(o *adapters.Split) { s.s.Sent([]byte(line), o) }, want...)
}

func (s *splits) say(lane adapters.Lane, line string, want ...string) {
	s.Helper()
	s.says(func(o *adapters.Split) { s.s.Say(lane, []byte(line), o) }, want...)
}

func (s *splits) join(spec adapters.Spec, want adapters.Lane, said ...string) {
	s.Helper()
	s.says(func(o *adapters.Split) {
		if got := s.s.Join(spec, o); got != want {
			s.Errorf("lane %d, want %d", got, want)
		}
	}, said...)
}

const (
	created1   = `{"type":"session.created","properties":{"sessionID":"ses_1","info":{"id":"ses_1"}}}`
	idle1      = `{"type":"session.idle","properties":{"sessionID":"ses_1"}}`
	idle2      = `{"type":"session.idle","properties":{"sessionID":"ses_2"}}`
	createCall = `{"http":"call","n":1,"method":"POST","path":"/session","body":{}}`
)

// TestRoutes: every form in which an event names its session.
// Proves: 001.endpoints
func TestRoutes(t *testing.T) {
	s := newSplits(t)
	s.join(adapters.Spec{NativeSessionID: "ses_1"}, 1)
	s.join(adapters.Spec{NativeSessionID: "ses_2"}, 2)
	for _, event := range []string{
		`{"id":"evt_1","type":"session.status","properties":{"sessionID":"ses_2","status":{"type":"busy"}}}`,
		`{"type":"session.updated","properties":{"info":{"id":"ses_2","title":"x"}}}`,
		`{"type":"message.updated","properties":{"info":{"id":"msg_1","sessionID":"ses_2"}}}`,
		`{"type":"message.part.updated","properties":{"part":{"type":"text","text":"\"sessionID\":\"ses_1\"","messageID":"msg_1","sessionID":"ses_2"}}}`,
		`{"type":"message.part.updated","properties":{"delta":"x","part":{"id":"prt_1","sessionID":"ses_2"}}}`,
		`{"type":"permission.asked","properties":{"id":"per_1","sessionID":"ses_2"}}`,
		`{"id":"evt_1","type":"session.next.step.started","location":{},"data":{"sessionID":"ses_2"}}`,
		`{"properties":{"sessionID":"ses_2"},"type":"moon.phase"}`,
	} {
		s.line(event, "2<"+event)
		if strings.Contains(event, `"data"`) {
			continue
		}
		s.line(`{"directory":"/w","project":"p","payload":`+event+`}`, "2<"+event)
	}
	s.line(`{"payload":{"type":"server.heartbeat","properties":{}}}`, `1<{"type":"server.heartbeat","properties":{}}`, `2<{"type":"server.heartbeat","properties":{}}`)
	s.line(`{"type":"plugin.added","properties":{"id":"x"}}`)
	s.line(`{"payload":{"type":"sync","syncEvent":{"type":"message.updated.1","seq":3,"aggregateID":"ses_2","data":{}}}}`)
	s.line(`{"type":"moon.phase","properties":{}}`, `1<{"type":"moon.phase","properties":{}}`)
	s.line(`{"type":"half`, `1<{"type":"half`)
	s.line(`no JSON`, `1<no JSON`)
	s.line(` `)
	s.line(`{"http":"stream","state":"lost","path":"/event"}`, `1<{"http":"stream","state":"lost","path":"/event"}`, `2<{"http":"stream","state":"lost","path":"/event"}`)
}

// TestCreate: a session's events come before the answer that tells its id, and go to its lane all the same.
func TestCreate(t *testing.T) {
	s := newSplits(t)
	s.join(adapters.Spec{}, 1)
	s.join(adapters.Spec{}, 2)
	s.say(1, createCall, ">"+createCall)
	s.say(2, createCall, `>{"http":"call","n":2,"method":"POST","path":"/session","body":{}}`)
	s.line(created1)
	s.line(idle2)
	s.line(`{"http":"answer","n":2,"status":200,"body":{"id":"ses_2"}}`, `2<{"http":"answer","n":1,"status":200,"body":{"id":"ses_2"}}`, "2<"+idle2)
	s.line(`{"type":"session.idle","properties":{"sessionID":"ses_3"}}`)
	s.line(`{"http":"answer","n":1,"status":200,"body":{"id":"ses_1"}}`, `1<{"http":"answer","n":1,"status":200,"body":{"id":"ses_1"}}`, "1<"+created1,
		"+3/0 ses_3", `3<{"type":"session.idle","properties":{"sessionID":"ses_3"}}`)
	s.line(idle1, "1<"+idle1)
	s.line(`{"http":"answer","n":1,"status":200}`) // a second time
	s.say(9, createCall)
	s.say(1, "no call")
}

// TestNumbers: calls of all lanes have numbers of their own on the connection, their answers the lanes' numbers.
func TestNumbers(t *testing.T) {
	s := newSplits(t)
	s.join(adapters.Spec{NativeSessionID: "ses_1"}, 1)
	s.join(adapters.Spec{NativeSessionID: "ses_2"}, 2)
	for _, lane := range []adapters.Lane{1, 2, 1} {
		s.says(func(o *adapters.Split) {
			s.s.Say(lane, []byte(`{"http":"call","n":7,"method":"GET","path":"/x"}`), o)
			o.Lines = nil
		})
	}
	s.line(`{"http":"answer","n":2,"status":204}`, `2<{"http":"answer","n":7,"status":204}`)
	s.line(`{"http":"answer","n":3,"error":"EOF"}`, `1<{"http":"answer","n":7,"error":"EOF"}`)
	s.line(`{"http":"answer","n":99,"status":204}`)
}

// TestChildren: sub-agents have lanes below their parent's, also where their beginning was lost.
func TestChildren(t *testing.T) {
	s := newSplits(t)
	s.join(adapters.Spec{NativeSessionID: "ses_1"}, 1)
	child := `{"type":"session.created","properties":{"sessionID":"ses_c","info":{"id":"ses_c","parentID":"ses_1"}}}`
	s.line(child, "+2/1 ses_c", "2<"+child)
	grandchild := `{"type":"session.created","properties":{"info":{"id":"ses_g","parentID":"ses_c"}}}`
	s.line(grandchild, "+3/2 ses_g", "3<"+grandchild)
	request := `{"type":"permission.asked","properties":{"id":"per_1","sessionID":"ses_g"}}`
	s.line(request, "3<"+request)

	const resync = `<{"http":"stream","state":"lost","path":""}`
	late := `{"type":"session.updated","properties":{"sessionID":"ses_l","info":{"id":"ses_l","parentID":"ses_1"}}}`
	s.line(late, "+4/1 ses_l", "4"+resync, "4"+strings.Replace(resync, "lost", "open", 1), "4<"+late)
	stray := `{"type":"session.idle","properties":{"sessionID":"ses_s"}}`
	s.line(stray, "+5/0 ses_s", "5<"+stray)
	task := `{"type":"message.part.updated","properties":{"part":{"id":"p","sessionID":"ses_1","type":"tool","tool":"task","state":{"status":"running","metadata":{"sessionId":"ses_s"}}}}}`
	s.line(task, "-5", "+6/1 ses_s", "6"+resync, "6"+strings.Replace(resync, "lost", "open", 1), "1<"+task)
	s.line(task, "1<"+task)
	s.line(stray, "6<"+stray)

	s.says(func(o *adapters.Split) { s.s.Leave(1, o) }, `>{"http":"call","n":1,"method":"POST","path":"/session/ses_1/abort"}`)
	for _, line := range []string{idle1, child, request, stray, task} {
		s.line(line)
	}
	s.says(func(o *adapters.Split) { s.s.Leave(1, o) })
	s.says(func(o *adapters.Split) { s.s.Leave(7, o) })
	s.join(adapters.Spec{NativeSessionID: "ses_1", Resume: true}, 7)
	s.line(idle1, "7<"+idle1)
}

// TestHistory: the tasks of the past of a session that is taken up begin no lanes, but those that run.
func TestHistory(t *testing.T) {
	s := newSplits(t)
	s.join(adapters.Spec{NativeSessionID: "ses_1", Resume: true}, 1)
	part := func(child, status string) string {
		return `{"type":"tool","tool":"task","state":{"status":"` + status + `","metadata":{"sessionId":"` + child + `"}}}`
	}
	messages := `[{"info":{"id":"m"},"parts":[` + part("ses_old", "completed") + `,` + part("ses_now", "running") + `]}]`
	ask := func(n int, want ...string) {
		t.Helper()
		s.says(func(o *adapters.Split) {
			s.s.Say(1, []byte(`{"http":"call","n":5,"method":"GET","path":"/session/ses_1/message"}`), o)
			o.Lines = nil
		})
		s.line(fmt.Sprintf(`{"http":"answer","n":%d,"status":200,"body":%s}`, n, messages),
			append(want, `1<{"http":"answer","n":5,"status":200,"body":`+messages+`}`)...)
	}
	lost, open := `<{"http":"stream","state":"lost","path":""}`, `<{"http":"stream","state":"open","path":""}`
	ask(1, "+2/1 ses_now", "2"+lost, "2"+open)
	ask(2, "+3/1 ses_old", "3"+lost, "3"+open) // it came since
}

// TestOthers: sessions that nobody here began, and the calls of others.
// Proves: 001.endpoints, O7, C40, T21
func TestOthers(t *testing.T) {
	s := newSplits(t)
	s.line(`{"type":"moon.phase"}`)
	s.sent(`{"http":"call","n":1,"method":"POST","path":"/session/ses_1/prompt_async","body":{}}`)
	s.line(`{"http":"answer","n":1,"status":204}`, "+1/0 ses_1", `1<{"type":"moon.phase"}`,
		`1>{"http":"call","n":4294967297,"method":"POST","path":"/session/ses_1/prompt_async","body":{}}`, `1<{"http":"answer","n":4294967297,"status":204}`)
	s.sent(`{"http":"call","n":2,"method":"POST","path":"/session/ses_1/abort"}`, `1>{"http":"call","n":4294967298,"method":"POST","path":"/session/ses_1/abort"}`)
	s.sent(`{"http":"call","n":3,"method":"GET","path":"/session/ses_none/message"}`)
	s.line(`{"http":"answer","n":3,"status":404}`)
	s.line(idle2, "+2/0 ses_2", "2<"+idle2)
	s.sent(`{"http":"call","n":4,"method":"GET","path":"/session/status"}`,
		`1>{"http":"call","n":4294967300,"method":"GET","path":"/session/status"}`, `2>{"http":"call","n":4294967300,"method":"GET","path":"/session/status"}`)
	s.line(`{"http":"answer","n":4,"status":200,"body":{}}`, `1<{"http":"answer","n":4294967300,"status":200,"body":{}}`,
		`2<{"http":"answer","n":4294967300,"status":200,"body":{}}`)
	deleted := `{"type":"session.deleted","properties":{"info":{"id":"ses_2"}}}`
	s.line(deleted, "2<"+deleted, "-2")
	s.line(idle2)
}

// TestLostUnnoticed: numbers that are left out, and a second greeting, tell of events that nobody heard.
func TestLostUnnoticed(t *testing.T) {
	s := newSplits(t)
	s.join(adapters.Spec{NativeSessionID: "ses_1"}, 1)
	sync := func(n int, want ...string) {
		t.Helper()
		s.line(fmt.Sprintf(`{"payload":{"type":"sync","syncEvent":{"seq":%d,"aggregateID":"ses_1"}}}`, n), want...)
	}
	lost, open := `1<{"http":"stream","state":"lost","path":""}`, `1<{"http":"stream","state":"open","path":""}`
	sync(4)
	sync(5)
	sync(8, lost, open)
	sync(6)
	sync(9)
	const greeting = `{"payload":{"type":"server.connected","properties":{}}}`
	stream := `{"http":"stream","state":"open","path":"/e"}`
	s.line(stream, "1<"+stream)
	s.line(greeting)
	s.line(greeting, lost, open)

	s.join(adapters.Spec{}, 2)
	s.says(func(o *adapters.Split) { s.s.Say(2, []byte(createCall), o); o.Lines = nil })
	s.line(`{"http":"answer","n":1,"status":200,"body":{"id":"ses_2"}}`, `2<{"http":"answer","n":1,"status":200,"body":{"id":"ses_2"}}`)
	s.line(`{"payload":{"type":"sync","syncEvent":{"seq":3,"aggregateID":"ses_2"}}}`, strings.Replace(lost, "1<", "2<", 1), strings.Replace(open, "1<", "2<", 1))
}

// TestFolders: calls about sessions of a server that runs already say in which folder.
func TestFolders(t *testing.T) {
	s := newSplits(t)
	s.join(adapters.Spec{NativeSessionID: "ses_1", Cwd: "/w x", Endpoint: &adapters.Endpoint{}}, 1)
	s.says(func(o *adapters.Split) { s.s.Leave(1, o) }, `>{"http":"call","n":1,"method":"POST","path":"/session/ses_1/abort?directory=%2Fw+x"}`)
	a := opencode.Agent{}
	names := map[string]bool{}
	for _, spec := range []adapters.Spec{
		{Cwd: "/w"},
		{Cwd: "/v"},
		{Cwd: "/w", Endpoint: &adapters.Endpoint{URL: "http://a"}},
		{Cwd: "/v", Endpoint: &adapters.Endpoint{URL: "http://a"}},
		{Cwd: "/w", Endpoint: &adapters.Endpoint{URL: "http://b"}},
		{Cwd: "/w", Endpoint: &adapters.Endpoint{URL: "http://a", Password: "secret"}},
	} {
		name := a.Connection(spec)
		if name == "" || names[name] || name != a.Connection(spec) || strings.Contains(name, "secret") {
			t.Errorf("%+v: %q", spec, name)
		}
		names[name] = true
	}
}
