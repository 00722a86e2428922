package droid_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/conformance"
	"github.com/ringmaster-agents/ringmaster/adapters/droid"
	"github.com/ringmaster-agents/ringmaster/adapters/recording"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

const sessionID = "11111111-1111-4111-8111-111111111111"

// talk is a conversation with a translator, written down.
type talk struct {
	t    *testing.T
	tr   adapters.Translator
	l    conformance.Ledger
	said []adapters.Draft
	text strings.Builder
}

// newTalk makes a translator and starts it.
func newTalk(t *testing.T, spec adapters.Spec) *talk {
	t.Helper()
	if spec.SessionID == "" {
		spec.SessionID = sessionID
	}
	c := &talk{t: t, tr: droid.Agent{}.Translator(spec)}
	c.do(c.tr.Start)
	return c
}

// standing is a talk whose session is made.
func standing(t *testing.T, spec adapters.Spec) *talk {
	t.Helper()
	c := newTalk(t, spec)
	c.line(response("rm-1", `{"sessionId":"S","settings":{"modelId":"m","interactionMode":"auto","autonomyLevel":"off"}}`))
	c.text.Reset()
	return c
}

func (c *talk) do(call func(out *adapters.Output)) {
	c.t.Helper()
	var out adapters.Output
	call(&out)
	for _, d := range out.Drafts {
		if problem := c.l.Take(d); problem != "" {
			c.t.Fatalf("%s: %s", conformance.Describe(d), problem)
		}
		c.said = append(c.said, d)
		c.text.WriteString(conformance.Describe(d) + "\n")
	}
	for _, line := range out.Lines {
		c.text.WriteString("> " + brief(line) + "\n")
	}
}

// brief is a line to the agent without its envelope.
func brief(line []byte) string {
	var e struct {
		ID     string          `json:"id"`
		Method string          `json:"method"`
		Params json.RawMessage `json:"params"`
		Result json.RawMessage `json:"result"`
		Error  json.RawMessage `json:"error"`
	}
	if err := json.Unmarshal(line, &e); err != nil {
		return err.Error()
	}
	return strings.TrimSpace(strings.Join(strings.Fields(fmt.Sprintf("%s %s %s %s %s", e.ID, strings.TrimPrefix(e.Method, "droid."), e.Params, e.Result, e.Error)), " "))
}

func (c *talk) line(line string) {
	c.t.Helper()
	b := []byte(line)
	c.do(func(out *adapters.Output) { c.tr.Line(b, out) })
}

// event is a notification of the session.
func (c *talk) event(n string) {
	c.t.Helper()
	c.line(`{"jsonrpc":"2.0","type":"notification","factoryApiVersion":"1.0.0","method":"droid.session_notification","params":{"sessionId":"S","notification":` + n + `}}`)
}

func (c *talk) command(cmd adapters.Command) {
	c.t.Helper()
	c.do(func(out *adapters.Output) { c.tr.Command(cmd, out) })
}

func (c *talk) sent(line string) {
	c.t.Helper()
	c.do(func(out *adapters.Output) { c.tr.Sent([]byte(line), out) })
}

// user shows a message of the user; assistant one of the model.
func (c *talk) user(id, text string) {
	c.t.Helper()
	c.event(fmt.Sprintf(`{"type":"create_message","message":{"id":%q,"role":"user","content":[{"type":"text","text":%q}]}}`, id, text))
}

func (c *talk) assistant(id, content string) {
	c.t.Helper()
	c.event(fmt.Sprintf(`{"type":"create_message","message":{"id":%q,"role":"assistant","content":[%s]}}`, id, content))
}

func (c *talk) textDelta(id string, index int, text string) {
	c.t.Helper()
	c.event(fmt.Sprintf(`{"type":"assistant_text_delta","messageId":%q,"blockIndex":%d,"textDelta":%q}`, id, index, text))
}

func (c *talk) tool(id, name, input string) {
	c.t.Helper()
	c.event(fmt.Sprintf(`{"type":"tool_call","toolUse":{"type":"tool_use","id":%q,"name":%q,"input":%s}}`, id, name, input))
}

func (c *talk) result(id, content string, failed bool) {
	c.t.Helper()
	c.event(fmt.Sprintf(`{"type":"tool_result","toolUseId":%q,"content":%q,"isError":%v}`, id, content, failed))
}

func (c *talk) done(reason string) {
	c.t.Helper()
	c.event(fmt.Sprintf(`{"type":"agent_turn_completed","reason":%q}`, reason))
}

// want compares what was said since the last want.
func (c *talk) want(lines ...string) {
	c.t.Helper()
	got := strings.TrimSuffix(c.text.String(), "\n")
	c.text.Reset()
	if want := strings.Join(lines, "\n"); got != want {
		c.t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func response(id, result string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","factoryApiVersion":"1.0.0","type":"response","id":%q,"result":%s}`, id, result)
}

func failure(id, message string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","factoryApiVersion":"1.0.0","type":"response","id":%q,"error":{"code":-32004,"message":%q}}`, id, message)
}

func request(id, method, params string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","factoryApiVersion":"1.0.0","type":"request","id":%q,"method":%q,"params":%s}`, id, method, params)
}

// recorded is what is said of a recording, all incarnations of it.
func recorded(t *testing.T, name string) []adapters.Draft {
	t.Helper()
	raw, err := os.ReadFile("testdata/recordings/" + name + ".jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var all []adapters.Draft
	var tr adapters.Translator
	nativeID := ""
	for r, err := range recording.Read(bytes.NewReader(raw)) {
		if err != nil {
			t.Fatal(err)
		}
		var out adapters.Output
		switch s := r.Step.(type) {
		case recording.Start:
			tr = droid.Agent{}.Translator(adapters.Spec{SessionID: sessionID, NativeSessionID: nativeID, Resume: s.Resume, Cwd: s.Cwd})
			tr.Start(&out)
		case recording.Out:
			tr.Line(s.Line, &out)
		case recording.In:
			tr.Sent(s.Line, &out)
		case recording.Exit:
			tr.Exit(s.Exit, &out)
		case recording.Stderr, recording.Note:
		}
		for _, d := range out.Drafts {
			if ready, ok := d.(adapters.Ready); ok {
				nativeID = ready.NativeSessionID
			}
		}
		all = append(all, out.Drafts...)
	}
	return all
}

// of gives the drafts of one type.
func of[D adapters.Draft](all []adapters.Draft) []D {
	var list []D
	for _, d := range all {
		if x, ok := d.(D); ok {
			list = append(list, x)
		}
	}
	return list
}

// text is what a change appends.
func text(c adapters.EntryChanged) string {
	if a, ok := c.Delta.(*protocol.TextAppend); ok {
		return a.Text
	}
	return ""
}
