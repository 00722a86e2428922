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
	"testing/synctest"
	"time"

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
	header string // Mcp-Session-Id; of 503, Retry-After
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
	header, named := http.Header{"Content-Type": {a.media}}, "Mcp-Session-Id"
	if a.status == http.StatusServiceUnavailable {
		named = "Retry-After"
	}
	header.Set(named, a.header)
	return &http.Response{StatusCode: a.status, Status: http.StatusText(a.status), Body: io.NopCloser(strings.NewReader(a.body)), Header: header}, nil
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
		answer{"POST tools/list \"id\":1", 200, "", events, sse("b_0", note)})...)
	p.open()
	p.say(ask)
	p.want(note)
	p.want(done)
	p.say(`{"jsonrpc":"2.0","id":3,"method":"tools/list"}`)
	p.want(`{"error":{"code":-32603,"message":"no daemon answers"},"id":3,"jsonrpc":"2.0"}`)
	p.close()
}

// TestHarmlessCalls are sent once more when the daemon breaks them off: what only reads, and what has an idempotency key. Others fail, and
// so does one that breaks off twice.
//
// Proves: I10.2/hosts
func TestHarmlessCalls(t *testing.T) {
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}`
	call := func(id, name, args string) string {
		return `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"` + name + `","arguments":` + args + `,` + meta + `}}`
	}
	done := func(id string) string { return `{"jsonrpc":"2.0","id":` + id + `,"result":{}}` }
	listed := `{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"look","annotations":{"readOnlyHint":true}},{"name":"do","annotations":{"readOnlyHint":false}}]}}`
	broken := func(words string) answer { return answer{words, 200, "", events, ""} }
	p := newPipe(t,
		broken(`POST "id":1,`), answer{`POST "id":1,`, 200, "", events, sse("", listed)},
		broken(`POST "id":2,`), answer{`POST "id":2,`, 200, "", events, sse("", done("2"))},
		broken(`POST "id":3,`), answer{`POST "id":3,`, 200, "", events, sse("", done("3"))},
		broken(`POST "id":4,`), answer{`POST "id":4,`, 200, "", events, sse("", done("4"))},
		broken(`POST "id":5,`), broken(`POST "id":5,`), answer{`POST "id":5,`, 200, "", events, sse("", done("5"))})
	p.say(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{` + meta + `}}`)
	p.want(listed)
	p.say(call("2", "look", "{}"))
	p.want(done("2"))
	p.say(call("3", "do", `{"idempotency_key":"k"}`))
	p.want(done("3"))
	for id, line := range map[string]string{"4": call("4", "do", `["no object"]`), "5": call("5", "look", "{}")} {
		p.say(line)
		p.want(`{"error":{"code":-32603,"message":"` + brokenOff + `"},"id":` + id + `,"jsonrpc":"2.0"}`)
	}
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

// TestSaidAgain: what the client subscribed to, what is pushed to it and the tools that it offers are told to the MCP session that takes the
// place of a lost one, pushes from where they were.
//
// Proves: I10.2/hosts
func TestSaidAgain(t *testing.T) {
	const (
		sub    = `{"jsonrpc":"2.0","id":5,"method":"resources/subscribe","params":{"uri":"session://a/log"}}`
		other  = `{"jsonrpc":"2.0","id":6,"method":"resources/subscribe","params":{"uri":"session://b/log"}}`
		unsub  = `{"jsonrpc":"2.0","id":7,"method":"resources/unsubscribe","params":{"uri":"session://b/log"}}`
		send   = `{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"session_message","arguments":{"agent":"pi","message":"do it","caller_id":"ed","caller_tools":[{"name":"t"}]}}}`
		watch  = `{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"session_watch","arguments":{"session_id":"B"}}}`
		failed = `{"jsonrpc":"2.0","id":10,"method":"tools/call","params":{"name":"session_watch","arguments":{"session_id":"C"}}}`
		push   = `{"jsonrpc":"2.0","method":"notifications/message","params":{"logger":"ringmaster.session","data":{"session_id":"A","seq":12}}}`
	)
	done := func(id, result string) string { return `{"jsonrpc":"2.0","id":` + id + `,"result":` + result + `}` }
	watching := func(id string) string {
		return `{"structuredContent":{"session_id":"` + id + `","last_event_index":3,"push":"active"}}`
	}
	p := newPipe(t, append(append(opened("s1"), opened("s2")...),
		answer{"GET session=s1", 200, "", events, sse("_1", push)},
		answer{"POST session=s1 subscribe log\"}} \"id\":5", 200, "", events, sse("c_0", done("5", "{}"))},
		answer{"POST session=s1 \"id\":6", 200, "", events, sse("c_0", done("6", "{}"))},
		answer{"POST session=s1 \"id\":7", 200, "", events, sse("c_0", done("7", "{}"))},
		answer{"POST session=s1 \"id\":8", 200, "", events, sse("c_0", done("8", watching("A")))},
		answer{"POST session=s1 \"id\":9", 200, "", "application/json", done("9", watching("B"))},
		answer{"POST session=s1 \"id\":10", 200, "", events, sse("c_0", done("10", `{"isError":true}`))},
		answer{"POST session=s1 tools/list", 404, "", "application/problem+json", ""},
		answer{"POST session=s2 session://a/log", 200, "", events, sse("c_0", done("5", "{}"))},
		answer{`POST session=s2 session_watch "session_id":"A","since_index":11`, 200, "", events, sse("c_0", done(`"x"`, watching("A")))},
		answer{`POST session=s2 session_watch "session_id":"B","since_index":3`, 200, "", events, sse("c_0", done(`"x"`, `{"content":[],"isError":true}`))},
		answer{`POST session=s2 session_watch "session_id":"B"}`, 200, "", events, sse("c_0", done(`"x"`, watching("B")))},
		answer{`POST session=s2 session_message "caller_id":"ed","caller_tools":[{"name":"t"}],"session_id":"A"}`, 200, "", events, sse("c_0", done(`"x"`, watching("A")))},
		answer{"POST session=s2 tools/list", 200, "", events, sse("d_0", done("1", "{}"))})...)
	p.open()
	p.want(push)
	for _, call := range []struct{ line, answer string }{
		{sub, done("5", "{}")},
		{other, done("6", "{}")},
		{unsub, done("7", "{}")},
		{send, done("8", watching("A"))},
		{watch, done("9", watching("B"))},
		{failed, done("10", `{"isError":true}`)},
	} {
		p.say(call.line)
		p.want(call.answer)
	}
	p.say(ask)
	p.want(`{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"session://a/log"}}`)
	p.want(done("1", "{}"))
	p.close()
	var after []string
	for _, s := range p.d.seen {
		if _, body, ok := strings.Cut(s, "session=s2 "); ok && strings.HasPrefix(s, "POST") {
			after = append(after, body[strings.Index(body, "{"):])
		}
	}
	if len(after) != 7 || strings.Contains(strings.Join(after, ""), "do it") {
		t.Errorf("the new session was told\n%s", strings.Join(after, "\n"))
	}
}

// TestSubscriptionsComeFirst: what the client says behind a subscription reaches the daemon behind it, since the change that the client waits
// for may come of it.
//
// Proves: I10.2/hosts
func TestSubscriptionsComeFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}`
		var reached []string
		stream, say := io.Pipe()
		serve := func(_ context.Context, _ string, h http.Header, _ []byte) (*http.Response, error) {
			method := h.Get("Mcp-Method")
			reached = append(reached, method)
			if method == listen {
				return &http.Response{StatusCode: http.StatusOK, Body: stream, Header: http.Header{"Content-Type": {events}}}, nil
			}
			return nil, errors.New("no daemon answers")
		}
		in, client := io.Pipe()
		ended := make(chan error, 1)
		go func() { ended <- Run(t.Context(), serve, in, io.Discard, io.Discard) }() // ends with its input
		_, _ = io.WriteString(client, `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{`+meta+`}}`+"\n")
		go func() {
			_, _ = io.WriteString(client, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{`+meta+`}}`+"\n")
		}()
		synctest.Wait()
		if !slices.Equal(reached, []string{listen}) {
			t.Errorf("before the daemon has begun: %q", reached)
		}
		_, _ = io.WriteString(say, sse("", `{"jsonrpc":"2.0","method":"`+acknowledged+`","params":{}}`))
		synctest.Wait()
		if !slices.Equal(reached, []string{listen, callTool}) {
			t.Errorf("once it has: %q", reached)
		}
		_ = say.Close()
		_ = client.Close()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

// TestSubscriptionsOfTheNewEra are opened again when they break off, and end when the daemon says so.
func TestSubscriptionsOfTheNewEra(t *testing.T) {
	const (
		listens = `{"jsonrpc":"2.0","id":4,"method":"subscriptions/listen","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"},"notifications":{"resourceSubscriptions":["session://a/log"]}}}`
		ack     = `{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{}}`
		one     = `{"jsonrpc":"2.0","method":"n","params":1}`
		two     = `{"jsonrpc":"2.0","method":"n","params":2}`
		over    = `{"jsonrpc":"2.0","id":4,"result":{}}`
	)
	p := newPipe(t,
		answer{"POST subscriptions/listen", 200, "", events, sse("", ack) + sse("", one)},
		answer{"POST subscriptions/listen", 200, "", events, sse("", ack) + sse("", two)},
		answer{"POST subscriptions/listen", 200, "", events, sse("", ack) + sse("", over)})
	const changed = `{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":4},"uri":"session://a/log"}}`
	p.say(listens)
	for _, line := range []string{ack, one, changed, two, changed, over} {
		p.want(line)
	}
	p.say(strings.Replace(listens, `"id":4`, `"id":5`, 1))
	p.want(`{"error":{"code":-32603,"message":"no daemon answers"},"id":5,"jsonrpc":"2.0"}`)
	p.close()
}

// TestDaemonThatStarts: what a daemon cannot take now is said again when it asks for that, also what changes something; one that is given up
// is not, and one that never can is refused in the end. A 503 that names no time is an answer.
func TestDaemonThatStarts(t *testing.T) {
	const (
		media   = "application/problem+json"
		starts  = `{"code":"unavailable","detail":"The daemon is starting.","hint":"Try again in a moment."}`
		refused = `{"error":{"code":-32603,"message":"The daemon is starting. Try again in a moment. (unavailable)"},"id":7,"jsonrpc":"2.0"}`
		sends   = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"send_prompt"}}`
		sent    = `{"jsonrpc":"2.0","id":7,"result":{}}`
		modern  = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"send_prompt","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`
		gives   = `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`
	)
	busy := answer{"POST tools/call", http.StatusServiceUnavailable, "1", media, starts}
	for name, c := range map[string]struct {
		says    []string
		answers []answer
		want    string // empty: nothing
		calls   int
		takes   time.Duration
	}{
		"starts":     {[]string{sends}, []answer{busy, busy, {"POST tools/call", 200, "", "application/json", sent}}, sent, 3, 2 * time.Second},
		"never does": {[]string{sends}, slices.Repeat([]answer{busy}, 100), refused, 61, time.Minute},
		"no time":    {[]string{sends}, []answer{{busy.words, busy.status, "", media, starts}}, refused, 1, 0},
		"given up":   {[]string{modern, gives}, []answer{busy, busy}, "", 1, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p, began := newPipe(t, c.answers...), time.Now()
				for _, line := range c.says {
					p.say(line)
					synctest.Wait()
				}
				if c.want != "" {
					p.want(c.want)
				}
				if took := time.Since(began); took != c.takes {
					t.Errorf("took %v", took)
				}
				p.close()
				if len(p.d.seen) != c.calls || len(p.lines) > 0 {
					t.Errorf("%d calls, %d further lines", len(p.d.seen), len(p.lines))
				}
			})
		})
	}
}
