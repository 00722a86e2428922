package api

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/ringmaster-agents/ringmaster/actors/journal"
	"github.com/ringmaster-agents/ringmaster/actors/raw"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
	"github.com/ringmaster-agents/ringmaster/supervisor/archive"
)

func (tr *tree) Raw(ctx context.Context, id string) (*supervisor.Raw, error) {
	if _, err := tr.Look(ctx, id); err != nil {
		return nil, err
	}
	return archive.Open(filepath.Join(tr.dir, id), nil, journal.Spans(filepath.Join(tr.dir, id), journal.Options{}))
}

// WholeText repeats the beginning until it is as long as the log says.
func (tr *tree) WholeText(_ context.Context, _ string, e supervisor.CutEntry) (string, error) {
	begins, cut := protocol.EntryText(e.Data)
	if begins == "" {
		return "", problemf(protocol.CodeRawGone, "Gone.")
	}
	return strings.Repeat(begins, int(cut.Bytes)/len(begins)), nil
}

// archived is a session of echo with one turn, whose agent is said to have spoken these lines: two batches as echo made them, and a
// line that made none.
func archived(h *harness, opt raw.Options) (id string) {
	h.t.Helper()
	id = h.create("echo")
	h.turn(id, "hi")
	a := raw.New(filepath.Join(h.tree.dir, id, "raw"), opt)
	defer a.Close()
	r := a.Record(1, raw.Beginning{Cwd: "/work"})
	r.Out([]byte(`{"type":"ready"}`))
	r.Batch(1)
	r.Out([]byte(`no JSON`))
	r.Batch(0)
	r.In([]byte(`{"type":"prompt"}`))
	r.Batch(0)
	r.Out([]byte(`{"type":"begin"}`))
	r.Out([]byte(`{"type":"end"}`))
	r.Batch(2)
	return id
}

// keptLine is a line of /raw as clients read it.
type keptLine struct {
	Line, From, To uint64
	Time           int64 `json:"t_ms"`
	Incarnation    uint32
	Dir            string
	Data           any
}

// rawLines reads /raw.
func rawLines(h *harness, id, query string) (list []keptLine) {
	h.t.Helper()
	body := h.want(http.StatusOK, "GET", "/sessions/"+id+"/raw"+query, "").body
	for line := range bytes.Lines(body) {
		var l keptLine
		if err := json.Unmarshal(line, &l); err != nil {
			h.t.Fatalf("%s: %v", line, err)
		}
		list = append(list, l)
	}
	return list
}

// Proves: 002.9.3/local
func TestRaw(t *testing.T) {
	h := newHarness(t)
	id := archived(h, raw.Options{})
	r := h.want(http.StatusOK, "GET", "/sessions/"+id+"/raw", "")
	if r.Header.Get("X-Raw-First-Line") != "1" || r.Header.Get("Content-Type") != "application/x-ndjson" || r.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("headers %v", r.Header)
	}
	all := rawLines(h, id, "")
	if len(all) != 6 {
		t.Fatalf("%d lines:\n%s", len(all), r.body)
	}
	texts := []string{"map[cwd:/work event:spawn]", "map[type:ready]", "no JSON", "map[type:prompt]", "map[type:begin]", "map[type:end]"}
	for i, l := range all {
		if l.Line != uint64(i+1) || l.Incarnation != 1 || l.Time == 0 || fmt.Sprint(l.Data) != texts[i] {
			t.Errorf("line %d: %+v", i+1, l)
		}
	}
	ready, begin, end := all[1], all[4], all[5]
	if ready.From == 0 || ready.To < ready.From || begin.From <= ready.To || begin.From != end.From || begin.To != end.To || all[2].From != 0 || all[2].To != 0 {
		t.Errorf("events of the lines:\n%s", r.body)
	}
	deltas := 0
	for line := range bytes.Lines(h.log(id, "")) {
		e, err := protocol.Decode(line)
		if err != nil {
			t.Fatal(err)
		}
		if _, is := e.Payload.(*protocol.EntryDelta); is && e.Seq >= begin.From && e.Seq <= begin.To {
			deltas++
		}
	}
	if deltas != 3 {
		t.Errorf("%d deltas are events of the last batch", deltas)
	}
	for query, want := range map[string]string{
		"?dir=in": "[4]", "?dir=meta": "[1]", "?dir=err": "[]",
		fmt.Sprintf("?from=%d", begin.From):                         "[5 6]",
		fmt.Sprintf("?to=%d", ready.To):                             "[1 2 3 4]",
		fmt.Sprintf("?from=%d&to=%d", ready.From, ready.To):         "[2 3 4]",
		fmt.Sprintf("?from=%d&to=%d&dir=out", ready.To, begin.From): "[2 3 5 6]",
		"?from=100000": "[]",
	} {
		numbers := []uint64{}
		for _, l := range rawLines(h, id, query) {
			numbers = append(numbers, l.Line)
		}
		if fmt.Sprint(numbers) != want {
			t.Errorf("%s gives %v, want %s", query, numbers, want)
		}
	}
	packed := h.want(http.StatusOK, "GET", "/sessions/"+id+"/raw", "", "Accept-Encoding", "zstd")
	dec, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer dec.Close()
	if text, err := dec.DecodeAll(packed.body, nil); err != nil || packed.Header.Get("Content-Encoding") != "zstd" || !bytes.Equal(text, r.body) {
		t.Errorf("zstd: %v, %q", err, text)
	}
}

// A bounded archive says where it begins.
func TestRawFirstLine(t *testing.T) {
	h := newHarness(t)
	id := archived(h, raw.Options{Roll: 1, Limit: 300})
	r := h.want(http.StatusOK, "GET", "/sessions/"+id+"/raw", "")
	first := rawLines(h, id, "")[0]
	if first.Line < 2 || r.Header.Get("X-Raw-First-Line") != fmt.Sprint(first.Line) {
		t.Errorf("the first line is %d, the header says %s", first.Line, r.Header.Get("X-Raw-First-Line"))
	}
}

func TestRawRefused(t *testing.T) {
	h := newHarness(t)
	id := h.create("echo")
	if body := h.want(http.StatusOK, "GET", "/sessions/"+id+"/raw", "").body; len(body) != 0 {
		t.Errorf("nothing was archived, and there is %q", body)
	}
	h.refused(http.StatusNotFound, protocol.CodeSessionNotFound, "GET", "/sessions/0b6c3a3e-5a0f-4f57-9a53-6a0f2d0c7f11/raw", "")
	h.refused(http.StatusUnprocessableEntity, protocol.CodeInvalidRequest, "GET", "/sessions/"+id+"/raw?dir=sideways", "")
	h.refused(http.StatusUnprocessableEntity, protocol.CodeInvalidRequest, "GET", "/sessions/"+id+"/raw?from=-1", "")
	h.refused(http.StatusNotAcceptable, protocol.CodeInvalidRequest, "GET", "/sessions/"+id+"/raw", "", "Accept-Encoding", "identity;q=0")
	h.refused(http.StatusUnauthorized, protocol.CodeUnauthorized, "GET", "/sessions/"+id+"/raw", "", "Authorization", "Bearer wrong")
}

// Proves: 002.14.4
func TestEntryText(t *testing.T) {
	h := newHarness(t)
	id := h.create("echo")
	h.turn(id, "hi")
	r := h.want(http.StatusOK, "GET", "/sessions/"+id+"/entries/e1/text", "")
	if string(r.body) != "hi 0. hi 1. hi 2. " || r.Header.Get("Content-Type") != "text/plain; charset=utf-8" {
		t.Errorf("%q, %s", r.body, r.Header.Get("Content-Type"))
	}
	h.refused(http.StatusNotFound, protocol.CodeNotFound, "GET", "/sessions/"+id+"/entries/e99/text", "")
	h.refused(http.StatusNotFound, protocol.CodeSessionNotFound, "GET", "/sessions/0b6c3a3e-5a0f-4f57-9a53-6a0f2d0c7f11/entries/e1/text", "")

	h.tree.mu.Lock()
	agent := h.tree.sessions[id].agent
	h.tree.mu.Unlock()
	k := agent.key()
	agent.say(adapters.TurnBegan{}, adapters.EntryOpened{Key: k, Type: protocol.EntryToolCall, Data: &protocol.ToolCallData{CallID: "c"}})
	h.want(http.StatusOK, "GET", "/sessions/"+id+"/state", "")
	h.refused(http.StatusConflict, protocol.CodeConflict, "GET", fmt.Sprintf("/sessions/%s/entries/e%d/text", id, k), "")
	for text, want := range map[string]int{"0123456789": http.StatusOK, "": http.StatusGone} {
		k := agent.key()
		agent.say(adapters.EntryOpened{Key: k, Type: protocol.EntryToolCall, Data: &protocol.ToolCallData{CallID: "c"}},
			adapters.EntryClosed{Key: k, Data: &protocol.ToolCallData{CallID: "c", Output: text, Cut: protocol.Cut{Truncated: true, Bytes: 200_000}}})
		h.want(http.StatusOK, "GET", "/sessions/"+id, "") // the actor has taken it
		r := h.want(want, "GET", fmt.Sprintf("/sessions/%s/entries/e%d/text", id, k), "")
		if want == http.StatusOK && (len(r.body) != 200_000 || r.Header.Get("Content-Length") != "200000") {
			t.Errorf("%d bytes, said to be %s", len(r.body), r.Header.Get("Content-Length"))
		}
	}
}
