package protocol_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/notice"
)

func spec(t *testing.T) string {
	t.Helper()
	b, err := os.ReadFile("spec.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// section is the text of a section, without its subsections.
func section(t *testing.T, number string) string {
	t.Helper()
	_, text, ok := strings.Cut(spec(t), "# "+number+" ")
	if !ok {
		t.Fatalf("no section %s", number)
	}
	text, _, _ = strings.Cut(text, "\n#")
	return text
}

// Every example of the spec is what the codec reads and writes.
// Proves: 002.13/4
func TestSpecExamples(t *testing.T) {
	blocks := regexp.MustCompile("(?s)```([a-z]*)\n(.*?)```\n").FindAllStringSubmatch(spec(t), -1)
	count := make(map[string]int)
	for _, block := range blocks {
		kind, body := block[1], block[2]
		count[kind]++
		switch kind {
		case "ndjson":
			for line := range strings.Lines(body) {
				e, err := protocol.Decode([]byte(line))
				if err != nil {
					t.Errorf("%s: %v", line, err)
				} else if got := string(protocol.AppendLine(nil, &e)); got != line {
					t.Errorf("got  %swant %s", got, line)
				}
				if _, unknown := e.Payload.(*protocol.Unknown); unknown || len(e.Extra) > 0 {
					t.Errorf("%s: has what this build does not know", line)
				}
			}
		case "json":
			checkJSONExample(t, strings.TrimSpace(body))
		case "": // frames of the stream
			r := protocol.NewSSEReader(strings.NewReader(body), 0)
			frame, err := r.Next()
			if err != nil {
				t.Errorf("%s: %v", body, err)
				continue
			}
			m, err := protocol.DecodeMessage(frame.Data)
			if err != nil {
				t.Errorf("%s: %v", body, err)
				continue
			}
			if got := string(appendMessage(t, frame.ID, m)); got != body {
				t.Errorf("got\n%swant\n%s", got, body)
			}
		}
	}
	if count["ndjson"] < 10 || count["json"] != 8 || count[""] != 5 || count["sql"] != 1 {
		t.Errorf("blocks: %v", count)
	}
}

func appendMessage(t *testing.T, id string, m protocol.Message) []byte {
	t.Helper()
	switch m := m.(type) {
	case *protocol.Event:
		if session, cursor, ok := strings.Cut(id, "/"); ok { // of a merged stream
			return append(append(protocol.AppendMergedHead(nil, session, []byte(cursor)), protocol.Append(nil, m)...), "\n\n"...)
		}
		at, err := protocol.ParseCursor(id)
		if err != nil {
			t.Error(err)
		}
		return protocol.AppendSSE(nil, at, protocol.Append(nil, m))
	case *protocol.Heartbeat:
		return protocol.AppendHeartbeat(nil, protocol.Cursor{Epoch: 1, Seq: m.Seq}, m.Ts)
	case *protocol.Reset:
		return protocol.AppendReset(nil, *m)
	case *protocol.Overflow:
		return append(protocol.AppendOverflow([]byte("data: "), m), "\n\n"...)
	}
	return nil
}

// checkJSONExample reads an example strictly as what it is and expects the same bytes when it is written again.
func checkJSONExample(t *testing.T, body string) {
	t.Helper()
	var v any
	switch {
	case strings.HasPrefix(body, `{"type":"event"`):
		checkMergedLine(t, body)
		return
	case strings.Contains(body, `"timestamp"`):
		checkNotice(t, body)
		return
	case strings.Contains(body, `"code"`):
		v = new(protocol.Problem)
	case strings.Contains(body, `"partId"`):
		v = new(protocol.Chunk)
	case strings.Contains(body, `"index"`):
		v = new(protocol.SessionEvent)
	default:
		v = new(protocol.SessionState)
	}
	dec := json.NewDecoder(strings.NewReader(body))
	dec.DisallowUnknownFields()
	if err := dec.Decode(v); err != nil {
		t.Errorf("%s: %v", body, err)
		return
	}
	if p, ok := v.(*protocol.Problem); ok {
		if want := protocol.NewProblem(p.Code, "", ""); p.Title != want.Title || p.Status != want.Status || p.Type != want.Type {
			t.Errorf("%s: the table says %+v", body, want)
		}
	}
	var got bytes.Buffer
	enc := json.NewEncoder(&got)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		t.Fatal(err)
	}
	if strings.TrimSpace(got.String()) != body {
		t.Errorf("got  %swant %s", got.String(), body)
	}
}

// checkMergedLine reads an event of a merged stream as a line of NDJSON.
func checkMergedLine(t *testing.T, body string) {
	t.Helper()
	var line struct {
		Type, SessionID, Cursor string
		Event                   json.RawMessage
	}
	if err := json.Unmarshal([]byte(body), &line); err != nil {
		t.Fatal(err)
	}
	if _, err := protocol.Decode(line.Event); err != nil {
		t.Errorf("%s: %v", body, err)
	}
	if got := string(protocol.AppendMergedLine(nil, line.SessionID, []byte(line.Cursor), line.Event)); got != body+"\n" {
		t.Errorf("got  %swant %s", got, body)
	}
}

// checkNotice makes the notice of an example's event.
func checkNotice(t *testing.T, body string) {
	t.Helper()
	e := protocol.Event{Seq: 49, Time: 1767225612000, Payload: &protocol.TurnEnd{TurnID: "t1", Status: protocol.TurnCompleted}}
	kind, what, _ := notice.Of(&e)
	n := notice.Notice{Kind: kind, Time: e.Time, What: what, About: notice.About{
		SessionID: "0198c5a2-7d1e-7c3f-9a51-6f2b8d4e1c0a", Cursor: "49", Agent: "pi", Title: "Cart",
	}}
	if got, err := json.Marshal(&n); string(got) != body || err != nil {
		t.Errorf("got  %s\nwant %s (%v)", got, body, err)
	}
}

// The tables of the spec name what the code knows, neither more nor less.
// Proves: C13
func TestSpecTables(t *testing.T) {
	firstCells := func(text string) []string {
		var cells []string
		for _, m := range regexp.MustCompile("(?m)^\\| `([a-z_]+)` \\|").FindAllStringSubmatch(text, -1) {
			cells = append(cells, m[1])
		}
		return cells
	}

	kinds := []string{string(notice.EventsMissed), string(notice.Test)}
	for i, k := range notice.Kinds() {
		kinds = slices.Insert(kinds, i, string(k))
	}
	if got := firstCells(section(t, "7.17")); !slices.Equal(got, kinds) {
		t.Errorf("kinds of notices: got %v, want %v", got, kinds)
	}

	var types []string
	for _, n := range []string{"4.1", "4.2", "4.3", "4.8", "4.9"} {
		types = append(types, firstCells(section(t, n))...)
	}
	types = append(types, "token_usage", "status", "budget") // in sentences of 4.7, 6.1 and 4.12
	var want []string
	for _, typ := range protocol.Types() {
		want = append(want, string(typ))
	}
	if !slices.Equal(types, want) {
		t.Errorf("event types: got %v, want %v", types, want)
	}

	var rows []string
	for _, code := range protocol.Codes() {
		rows = append(rows, fmt.Sprintf("| `%s` | %d |", code, code.Status()))
	}
	got := regexp.MustCompile("(?m)^\\| `[a-z_]+` \\| [0-9]+ \\|").FindAllString(section(t, "11."), -1)
	if !slices.Equal(got, rows) {
		t.Errorf("codes: got %v, want %v", got, rows)
	}

	states := regexp.MustCompile("(?m)^\\| `([a-z_]+)` \\|[^|]*\\| `([a-z_]+)` \\| ([a-z]+) \\| (yes|no) \\|$").FindAllStringSubmatch(section(t, "6.1"), -1)
	if len(states) != 13 {
		t.Errorf("%d states", len(states))
	}
	for _, row := range states {
		state := protocol.State(row[1])
		if string(state.AgentStatus()) != row[2] || state.ItemStatus() != row[3] {
			t.Errorf("%s: the code says %s, %s", row[0], state.AgentStatus(), state.ItemStatus())
		}
		// Whether it gives an item, seen from a session whose last word was another one.
		var items protocol.Items
		before := protocol.StateFailed
		if row[3] == "failed" {
			before = protocol.StateResponding
		}
		items.Item(&protocol.Event{Seq: 1, Payload: &protocol.Status{State: before}})
		it, ok := items.Item(&protocol.Event{Seq: 2, Payload: &protocol.Status{State: state}})
		if ok != (row[4] == "yes") || ok && it.Text != row[3] {
			t.Errorf("%s: the code gives %v %+v", row[0], ok, it)
		}
	}
}

// "spec §n" in a comment points to a section that is there.
func TestSpecReferences(t *testing.T) {
	text := spec(t)
	paths, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, path := range append(paths, "spec.md") {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`§([0-9]+(\.[0-9]+)?)`).FindAllSubmatch(b, -1) {
			n++
			number := string(m[1])
			if !strings.Contains(text, "\n### "+number+" ") && !strings.Contains(text, "\n## "+number+". ") {
				t.Errorf("%s: there is no section %s", path, number)
			}
		}
	}
	if n < 50 {
		t.Errorf("only %d references found", n)
	}
}
