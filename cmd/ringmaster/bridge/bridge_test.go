package bridge

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/ringmaster-agents/ringmaster/scenarios/leaks"
)

func TestMain(m *testing.M) { leaks.Main(m) }

// fakeDaemon answers requests by their method, session and body, in the order of its list; each answer is given once.
type fakeDaemon struct {
	t  *testing.T
	mu sync.Mutex
	// answers to what has all of these words in it
	answers []answer
	seen    []string
}

type answer struct {
	words  string
	status int
	header string // Mcp-Session-Id
	media  string
	body   string
}

func (d *fakeDaemon) serve(ctx context.Context, method string, h http.Header, body []byte) (*http.Response, error) {
	asked := strings.Join([]string{
		method, "session=" + h.Get("Mcp-Session-Id"), "last=" + h.Get("Last-Event-ID"), "version=" + h.Get("Mcp-Protocol-Version"),
		"method=" + h.Get("Mcp-Method"), "name=" + h.Get("Mcp-Name"), string(body),
	}, " ")
	d.mu.Lock()
	d.seen = append(d.seen, asked)
	i := slices.IndexFunc(d.answers, func(a answer) bool {
		return !slices.ContainsFunc(strings.Fields(a.words), func(w string) bool { return !strings.Contains(asked, w) })
	})
	var a answer
	if i >= 0 {
		a = d.answers[i]
		d.answers = slices.Delete(d.answers, i, i+1)
	}
	d.mu.Unlock()
	if i < 0 {
		if method == http.MethodGet { // a stream that stays silent
			r, w := io.Pipe()
			context.AfterFunc(ctx, func() { _ = w.CloseWithError(ctx.Err()) })
			return &http.Response{StatusCode: http.StatusOK, Body: r}, nil
		}
		return nil, errors.New("no daemon answers")
	}
	return &http.Response{
		StatusCode: a.status, Status: http.StatusText(a.status), Body: io.NopCloser(strings.NewReader(a.body)),
		Header: http.Header{"Mcp-Session-Id": {a.header}, "Content-Type": {a.media}},
	}, nil
}

// pipe is the client's side of a bridge.
type pipe struct {
	t     *testing.T
	d     *fakeDaemon
	in    *io.PipeWriter
	lines chan string
	ended chan error
	log   strings.Builder
}

func newPipe(t *testing.T, answers ...answer) *pipe {
	r, w := io.Pipe()
	p := &pipe{t: t, d: &fakeDaemon{t: t, answers: answers}, in: w, lines: make(chan string, 100), ended: make(chan error, 1)}
	go func() { p.ended <- Run(t.Context(), p.d.serve, r, p, &p.log) }() // ends with its input
	return p
}

// Write takes what the bridge says.
func (p *pipe) Write(b []byte) (int, error) {
	p.lines <- strings.TrimSuffix(string(b), "\n")
	return len(b), nil
}

func (p *pipe) say(line string) {
	p.t.Helper()
	if _, err := io.WriteString(p.in, line+"\n"); err != nil {
		p.t.Fatal(err)
	}
}

func (p *pipe) want(line string) {
	p.t.Helper()
	if got := <-p.lines; got != line {
		p.t.Fatalf("got  %s\nwant %s\nseen %q", got, line, p.d.seen)
	}
}

func (p *pipe) close() {
	p.t.Helper()
	_ = p.in.Close()
	if err := <-p.ended; err != nil {
		p.t.Error(err)
	}
}

const (
	events = "text/event-stream"
	hello  = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}`
	begun  = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
	ask    = `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
	agreed = `{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25"}}`
)

func sse(id, data string) string { return "id: " + id + "\ndata: " + data + "\n\n" }

// opened are the answers that open a session of the old era.
func opened(session string) []answer {
	return []answer{
		{"POST session= \"initialize\"", 200, session, events, sse("a_0", agreed)},
		{"POST session=" + session + " notifications/initialized", 202, "", "", ""},
	}
}

func (p *pipe) open() {
	p.t.Helper()
	p.say(hello)
	p.want(agreed)
	p.say(begun)
}

// TestSessions: the session and the revision that the daemon names are said with every message, and the session is ended.
func TestSessions(t *testing.T) {
	p := newPipe(t, append(opened("s1"),
		answer{"POST session=s1 version=2025-11-25 tools/list", 200, "", "application/json", "{\"jsonrpc\":\"2.0\",\n \"id\":1,\"result\":{}}"},
		answer{"DELETE session=s1", 204, "", "", ""})...)
	p.open()
	p.say("")
	p.say("no json")
	p.say(ask)
	p.want(`{"jsonrpc":"2.0","id":1,"result":{}}`)
	p.close()
	if last := p.d.seen[len(p.d.seen)-1]; !strings.HasPrefix(last, "DELETE session=s1") {
		t.Errorf("the last request was %s", last)
	}
	if !strings.Contains(p.log.String(), "no message") {
		t.Errorf("log: %s", p.log.String())
	}
}

// TestNotifications come from the stream, which is opened again where it was.
func TestNotifications(t *testing.T) {
	const one, two = `{"jsonrpc":"2.0","method":"n","params":1}`, `{"jsonrpc":"2.0","method":"n","params":2}`
	p := newPipe(t, append(opened("s1"),
		answer{"GET session=s1 last=_4", 200, "", events, sse("_5", two)},
		answer{"GET session=s1", 200, "", events, sse("_4", one)})...)
	p.open()
	p.want(one)
	p.want(two)
	p.close()
}

// TestBrokenAnswers are taken up where they were; a daemon that does not come back is an error of the call.
func TestBrokenAnswers(t *testing.T) {
	const note, done = `{"jsonrpc":"2.0","method":"n"}`, `{"jsonrpc":"2.0","id":1,"result":{}}`
	p := newPipe(t, append(opened("s1"),
		answer{"GET session=s1 last=b_0", 200, "", events, sse("b_1", done)},
		answer{"POST tools/list \"id\":1", 200, "", events, sse("b_0", note)},
		answer{"POST tools/list \"id\":2", 200, "", events, ""})...)
	p.open()
	p.say(ask)
	p.want(note)
	p.want(done)
	p.say(`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`)
	p.want(`{"error":{"code":-32603,"message":"The daemon broke off its answer."},"id":2,"jsonrpc":"2.0"}`)
	p.say(`{"jsonrpc":"2.0","id":3,"method":"tools/list"}`)
	p.want(`{"error":{"code":-32603,"message":"no daemon answers"},"id":3,"jsonrpc":"2.0"}`)
	p.close()
}

// TestForgottenSessions are opened again, with the level that was set, and the client notices nothing.
func TestForgottenSessions(t *testing.T) {
	const level, ok = `{"jsonrpc":"2.0","id":5,"method":"logging/setLevel","params":{"level":"info"}}`, `{"jsonrpc":"2.0","id":5,"result":{}}`
	p := newPipe(t, append(append(opened("s1"), opened("s2")...),
		answer{"POST session=s1 setLevel", 200, "", events, sse("c_0", ok)},
		answer{"POST session=s1 tools/list", 404, "", "application/problem+json", ""},
		answer{"POST session=s2 setLevel", 200, "", events, sse("c_0", ok)},
		answer{"POST session=s2 tools/list", 200, "", events, sse("d_0", `{"jsonrpc":"2.0","id":1,"result":{"of":"s2"}}`)})...)
	p.open()
	p.say(level)
	p.want(ok)
	p.say(ask)
	p.want(`{"jsonrpc":"2.0","id":1,"result":{"of":"s2"}}`)
	p.close()
}

// TestNewEra: each message names its revision and, in the header, what it is about; a cancelled call is left.
func TestNewEra(t *testing.T) {
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}`
	p := newPipe(t,
		answer{"POST session= version=2026-07-28 method=tools/call name=agent_list", 200, "", events, sse("", `{"jsonrpc":"2.0","id":"x","result":{}}`)},
		answer{"POST method=resources/read name==?base64?w6k=?=", 400, "", "application/json", `{"jsonrpc":"2.0","id":2,"error":{"code":1,"message":"m"}}`},
		answer{"POST method=tools/list", 413, "", "application/problem+json", `{"code":"too_large","detail":"Too long.","hint":"Less."}`})
	p.say(`{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"name":"agent_list",` + meta + `}}`)
	p.want(`{"jsonrpc":"2.0","id":"x","result":{}}`)
	p.say(`{"jsonrpc":"2.0","id":2,"method":"resources/read","params":{"uri":"é",` + meta + `}}`)
	p.want(`{"jsonrpc":"2.0","id":2,"error":{"code":1,"message":"m"}}`)
	p.say(`{"jsonrpc":"2.0","id":3,"method":"tools/list","params":{` + meta + `}}`)
	p.want(`{"error":{"code":-32603,"message":"Too long. Less. (too_large)"},"id":3,"jsonrpc":"2.0"}`)
	p.say(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"gone",` + meta + `}}`)
	p.close()
}
