package storms

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/scenarios/figures"
)

// many is how often what is hostile by its number is repeated.
const many = 1_000_000

// keys is an object with many members.
func keys(first string) []byte {
	b := append([]byte("{"), first...)
	for i := range many {
		b = fmt.Appendf(b, `,"k%d":%d`, i, i)
	}
	return append(b, '}')
}

// deep is many lists, one inside the other.
func deep() []byte {
	return append(bytes.Repeat([]byte("["), many), bytes.Repeat([]byte("]"), many)...)
}

// hostileInput: bodies and agents' lines that are small to send and large to decode are refused, with a reason, before they cost
// memory (T11).
func hostileInput(t *testing.T, d *daemon) {
	id := d.create()
	d.rests(id, 0, 20*time.Second)
	healthy := newProber(t, d, id, 0)
	turns(t, size.probes, healthy)
	worst := int64(0)
	rpc := func(params []byte) []byte {
		return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"session","arguments":%s}}`, params)
	}
	numbers := append(append([]byte("["), bytes.Repeat([]byte("0,"), 10*many)...), "0]"...)
	for _, c := range []struct {
		name, path string
		body       []byte
	}{
		{"depth", "/sessions/" + id + "/prompts", fmt.Appendf(nil, `{"text":%s}`, deep())},
		{"depth", "/mcp", rpc(deep())},
		{"keys", "/sessions/" + id + "/prompts", keys(`"text":"x"`)},
		{"keys", "/mcp", rpc(keys(`"action":"list"`))},
		{"numbers", "/sessions/" + id + "/prompts", fmt.Appendf(nil, `{"text":"x","images":%s}`, numbers)},
		{"numbers", "/mcp", rpc(fmt.Appendf(nil, `{"action":"list","x":%s}`, numbers))},
		{"batch", "/mcp", append(append([]byte("["), bytes.Repeat([]byte(`{"jsonrpc":"2.0","id":1,"method":"ping"},`), many/2)...), `{"jsonrpc":"2.0","id":1,"method":"ping"}]`...)},
	} {
		t.Run(c.name+strings.ReplaceAll(strings.TrimPrefix(c.path, "/sessions/"+id), "/", " "), func(t *testing.T) {
			before := d.mustVitals()
			d.unpeak()
			res, text := d.post(t, c.path, c.body)
			if refused := res.StatusCode >= 400 && res.StatusCode < 500 && bytes.Contains(text, []byte(`"code":`)); !refused &&
				!bytes.Contains(text, []byte(`"isError":true`)) {
				t.Errorf("%s: %.300s", res.Status, text)
			}
			rise := d.mustVitals().peak - before.rss
			t.Logf("%d bytes, RSS grew by %d MiB: %s: %.200s", len(c.body), rise>>20, res.Status, text)
			worst = max(worst, rise)
		})
	}
	atMost(t, figures.Figure{Name: "RSS grown by hostile requests", Value: float64(worst) / (1 << 20), Unit: "MiB", Promise: "T11"}, 64, 96)
	turns(t, size.probes, healthy)
	healthy.close()
	d.delete(id)
	hostileAgent(t, d)
}

func (d *daemon) post(t *testing.T, path string, body []byte) (*http.Response, []byte) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+d.address+path, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{
		"Authorization": "Bearer " + d.secret, "Content-Type": "application/json",
		"Accept": "application/json, text/event-stream", "Mcp-Protocol-Version": "2026-07-28",
	} {
		req.Header.Set(name, value)
	}
	res, err := d.http.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res, text
}

// An agent that is nothing but the file of its lines; the daemon takes it for Pi.
const (
	agentScript = "#!/bin/sh\n[ \"$1\" != --version ] || { echo 1.5.2; exit; }\ncat lines.jsonl\nexec cat >/dev/null\n"
	agentHello  = `{"type":"response","command":"get_state","success":true,"data":{"sessionId":"s"}}
{"type":"agent_start"}
{"type":"message_start","message":{"role":"assistant","content":[],"stopReason":"pending","timestamp":1}}
{"type":"message_update","assistantMessageEvent":{"type":"text_start","contentIndex":0}}
`
	agentBye = `{"type":"message_update","assistantMessageEvent":{"type":"text_delta","contentIndex":0,"delta":"still here"}}
{"type":"agent_settled","aborted":false}
`
)

// hostileAgent lets an agent say what its decoder has to survive.
func hostileAgent(t *testing.T, d *daemon) {
	t.Helper()
	small := keys(`"type":"message_update"`)
	small = append(small[:7<<20], `":0}`...) // a line has at most 8 MiB
	base := d.mustVitals()
	worst := int64(0)
	for name, line := range map[string][]byte{
		"depth":     fmt.Appendf(nil, `{"type":"message_update","assistantMessageEvent":%s}`, deep()),
		"objects":   fmt.Appendf(nil, `{"type":"tool_execution_start","toolCallId":"x","toolName":"y","args":%s1%s}`, strings.Repeat(`{"a":`, many), strings.Repeat("}", many)),
		"keys":      small,
		"arguments": fmt.Appendf(nil, `{"type":"tool_execution_start","toolCallId":"x","toolName":"y","args":{"list":[%s0]}}`, strings.Repeat("0,", 3*many)),
		"contents":  fmt.Appendf(nil, `{"type":"message_end","message":{"role":"assistant","content":[%s{}],"timestamp":1}}`, strings.Repeat(`{"type":"text","text":"x"},`, many/4)),
		"no JSON":   bytes.Repeat([]byte{0xff, '{', '"'}, many),
	} {
		t.Run("agent says "+name, func(t *testing.T) {
			cwd := filepath.Join(d.root, strings.ReplaceAll(name, " ", "-"))
			if err := os.Mkdir(cwd, 0o700); err != nil {
				t.Fatal(err)
			}
			lines := append(append([]byte(agentHello), append(line, '\n')...), agentBye...)
			if err := os.WriteFile(filepath.Join(cwd, "lines.jsonl"), lines, 0o600); err != nil {
				t.Fatal(err)
			}
			before := d.mustVitals()
			d.unpeak()
			id := d.createOf("pi", cwd)
			if err := eventually(t.Context(), 30*time.Second, func() error {
				log, err := d.want(t.Context(), http.MethodGet, "/sessions/"+id+"/log", nil)
				if err == nil && (!bytes.Contains(log, []byte("still here")) || !bytes.Contains(log, []byte(`"state":"idle"`))) {
					err = fmt.Errorf("the log: %.2000s", log)
				}
				return err
			}); err != nil {
				t.Fatal(err)
			}
			rise := d.mustVitals().peak - before.rss
			t.Logf("%d bytes, RSS grew by %d MiB", len(line), rise>>20)
			worst = max(worst, rise)
			d.delete(id)
		})
	}
	atMost(t, figures.Figure{Name: "RSS grown by hostile agents", Value: float64(worst) / (1 << 20), Unit: "MiB", Promise: "T11"}, 64, 96)
	d.returns(base, 20*time.Second)
}
