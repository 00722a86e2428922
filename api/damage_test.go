package api

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ringmaster-agents/ringmaster/actors/raw"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// cutShort has a session lose the end of its log between two lives of its actor, and gives the log as it was.
func (h *harness) cutShort(id string, left int64) (whole []byte) {
	h.t.Helper()
	whole = h.log(id, "")
	h.awaitReaders(id, "stream", 0) // one that is still there would start the actor again
	h.tree.passivate(id)
	if err := os.Truncate(filepath.Join(h.tree.dir, id, "000001.ndjson"), left); err != nil {
		h.t.Fatal(err)
	}
	return whole
}

// plain is the body without its coding.
func (r *reply) plain(t testing.TB) []byte {
	t.Helper()
	if r.Header.Get("Content-Encoding") == "" {
		return r.body
	}
	z, err := gzip.NewReader(bytes.NewReader(r.body))
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestDamagedLogSaysSo: whoever reads what is left of a log is told that it is not all, in the answer, whichever way it is read; and a client that has more
// than is left is not told to drop it.
func TestDamagedLogSaysSo(t *testing.T) {
	h := newHarness(t)
	id := h.create("echo")
	h.turn(id, "hi")
	end := h.expectEnd(id)
	whole := h.cutShort(id, 900)
	path := "/sessions/" + id
	last := uint64(bytes.Count(whole, []byte("\n")))

	detail := h.want(http.StatusOK, "GET", path, "")
	var shown struct {
		ReadOnly bool
		Seq      uint64
		Damage   *protocol.Damage
	}
	if err := json.Unmarshal(detail.body, &shown); err != nil || !shown.ReadOnly || shown.Damage == nil || shown.Damage.File != "000001.ndjson" {
		t.Fatalf("%v: %s", err, detail.body)
	}
	head := shown.Seq
	if head == 0 || head >= last || shown.Damage.Seq != head+1 {
		t.Fatalf("%d of %d events are left: %+v", head, last, shown.Damage)
	}
	signal := string(protocol.AppendDamage(nil, shown.Damage))
	rest := firstLines(whole, head)

	for _, q := range []string{"", "?view=settled", fmt.Sprintf("?since=%d", head-1), fmt.Sprintf("?since=%d", head), fmt.Sprintf("?since=%d", last)} {
		for _, coding := range []string{"identity", "gzip"} {
			r := h.want(http.StatusOK, "GET", path+"/log"+q, "", "Accept-Encoding", coding)
			if got := string(r.plain(t)); !strings.HasSuffix(got, signal+"\n") || r.Header.Get("X-Session-Damage") != shown.Damage.String() {
				t.Errorf("log%s, %s: %q, %v", q, coding, got, r.Header)
			} else if q == "" && got != rest+signal+"\n" {
				t.Errorf("log: %q", got)
			}
		}
	}
	if etag := h.want(http.StatusOK, "GET", path+"/log", "").Header.Get("ETag"); !strings.Contains(etag, "damaged") {
		t.Errorf("ETag %s: a whole log of this length has the same", etag)
	}
	for _, way := range []string{"/stream", "/log/events"} {
		for since, events := range map[uint64]int{0: int(head), head: 0, last: 0} {
			f := h.follow(fmt.Sprintf("%s%s?since=%d", path, way, since))
			for range events {
				if e, ok := f.next().(*protocol.Event); !ok {
					t.Fatalf("%s since %d: %+v instead of an event", way, since, e)
				}
			}
			if d, ok := f.next().(*protocol.Damage); !ok || *d != *shown.Damage {
				t.Errorf("%s since %d: %+v", way, since, d)
			}
			f.close()
		}
	}
	for _, part := range []string{"", "?entries=3"} {
		var state struct{ Damage *protocol.Damage }
		if r := h.want(http.StatusOK, "GET", path+"/state"+part, ""); json.Unmarshal(r.body, &state) != nil || state.Damage == nil || *state.Damage != *shown.Damage {
			t.Errorf("state: %s", r.body)
		}
	}
	h.refused(http.StatusInternalServerError, protocol.CodeDamaged, "GET", path+"/entries/"+end+"/text", "")
	h.refused(http.StatusServiceUnavailable, protocol.CodeReadOnly, "POST", path+"/prompts", `{"text":"x"}`)

	c := h.connect(newEra)
	for _, what := range []string{"log", "state"} {
		r, err := c.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "session://" + id + "/" + what})
		if err != nil || !strings.Contains(fmt.Sprint(r.Contents[0].Meta["damage"]), shown.Damage.Problem) {
			t.Errorf("resource %s: %+v, %v", what, r, err)
		}
	}
}

// firstLines is the first n lines of a log.
func firstLines(log []byte, n uint64) string {
	at := 0
	for range n {
		at += bytes.IndexByte(log[at:], '\n') + 1
	}
	return string(log[:at])
}

// expectEnd gives the last entry that has ended.
func (h *harness) expectEnd(id string) (entry string) {
	h.t.Helper()
	for line := range bytes.Lines(h.log(id, "")) {
		e, err := protocol.Decode(bytes.TrimSuffix(line, []byte("\n")))
		if err != nil {
			h.t.Fatal(err)
		}
		if p, ok := e.Payload.(*protocol.EntryEnd); ok {
			entry = p.EntryID
		}
	}
	return entry
}

// TestDamagedArchiveSaysSo: native lines that are missing in the middle are a note, and not silence.
func TestDamagedArchiveSaysSo(t *testing.T) {
	for name, spoil := range map[string]func(file string) error{
		"cut to nothing": func(file string) error { return os.Truncate(file, 0) },
		"cut in a line":  func(file string) error { return os.Truncate(file, 20) },
		"gone":           os.Remove,
	} {
		t.Run(name, func(t *testing.T) {
			h := newHarness(t)
			id := archived(h, raw.Options{Roll: 1})
			files, err := filepath.Glob(filepath.Join(h.tree.dir, id, "raw", "*"))
			if err != nil || len(files) < 3 {
				t.Fatalf("%v, %v", files, err)
			}
			before := rawLines(h, id, "")
			if err := spoil(files[1]); err != nil {
				t.Fatal(err)
			}
			after := rawLines(h, id, "")
			if len(after) > len(before) || !strings.Contains(fmt.Sprint(after), "event:damaged") || after[len(after)-1].Line != before[len(before)-1].Line {
				t.Fatalf("before: %v\nafter: %v", before, after)
			}
		})
	}
}

// TestDamagedImageSaysSo: an image whose bytes have another digest is not served, and is stored anew when it comes again.
func TestDamagedImageSaysSo(t *testing.T) {
	h := newHarness(t)
	id := h.create("busy")
	image := picture{"image/png", pictures(1, 1)["image/png"]}
	h.want(http.StatusAccepted, "POST", "/sessions/"+id+"/prompts", withImages(t, "look", image))
	digest := h.stored(id)[0]
	path := "/sessions/" + id + "/images/" + digest
	for _, spoil := range []func([]byte) []byte{
		func(b []byte) []byte { b[len(b)-1] ^= 1; return b },
		func(b []byte) []byte { return b[:len(b)/2] },
		func([]byte) []byte { return nil },
	} {
		if err := os.WriteFile(filepath.Join(h.tree.Images(id).Dir, digest), spoil(bytes.Clone(image.Data)), 0o600); err != nil {
			t.Fatal(err)
		}
		h.refused(http.StatusInternalServerError, protocol.CodeDamaged, "GET", path, "")
		h.want(http.StatusAccepted, "POST", "/sessions/"+id+"/prompts", withImages(t, "again", image))
		if r := h.want(http.StatusOK, "GET", path, ""); !bytes.Equal(r.body, image.Data) {
			t.Fatalf("%d bytes, sent were %d", len(r.body), len(image.Data))
		}
	}
}

// TestDamagedLogIsToldToModels: no tool gives a model a log that ends early as if it were whole, waits for what cannot come, or drops what the
// client has beyond it.
func TestDamagedLogIsToldToModels(t *testing.T) {
	h := newHarness(t)
	id := h.create("echo")
	h.turn(id, "hi")
	prompt := h.expectPrompt(id)
	whole := h.cutShort(id, int64(bytes.Index(h.log(id, ""), []byte(`"type":"turn_end"`))))
	beyond := bytes.Count(whole, []byte("\n")) - 1

	c := h.connect(oldEra)
	said := func(tool string, out map[string]any) {
		t.Helper()
		if text, _ := out["damage"].(string); !strings.Contains(text, "000001.ndjson is damaged") || !strings.Contains(text, "backup") {
			t.Errorf("%s: %v", tool, out)
		}
	}
	for _, since := range []int{-1, 2, beyond} {
		out := callTool[map[string]any](c, "session_events", args{"session_id": id, "since_index": since})
		said("session_events", out)
		if out["reset"] == true {
			t.Errorf("session_events since %d: %v", since, out)
		}
		sum := callTool[map[string]any](c, "session_summary", args{"session_id": id, "since_index": since})
		if said("session_summary", sum); sum["reset"] == true {
			t.Errorf("session_summary since %d: %v", since, sum)
		}
	}
	said("session_events that waits", callTool[map[string]any](c, "session_events", args{"session_id": id, "wait_ms": 55_000, "follow": true}))
	said("session_events of several", callTool[map[string]any](c, "session_events", args{"session_id": id, "include_children": true}))
	said("session_get", callTool[map[string]any](c, "session_get", args{"session_id": id}))
	for _, in := range []args{{"session_ids": []string{id}, "wait_ms": 0}, {"session_ids": []string{id}, "prompt_id": prompt, "wait_ms": 0}} {
		out := callTool[map[string]any](c, "session_join", in)
		x := out["sessions"].([]any)[0].(map[string]any)
		if said("session_join", x); out["done"] != true || x["outcome"] != "failed" || x["error"] == nil {
			t.Errorf("session_join: %v", out)
		}
	}
	c.fails(protocol.CodeDamaged, "session_join", args{"session_ids": []string{id}, "prompt_id": "later"})
	c.fails(protocol.CodeReadOnly, "session_message", args{"session_id": id, "message": "x"})

	task := h.task(h.modern("tasks/get", args{"taskId": id + "." + prompt}, true))
	if task.Status != "failed" || task.Error == nil || task.Error.Data.Code != protocol.CodeDamaged {
		t.Errorf("%+v", task)
	}
	session := h.mcpSession()
	h.mcpWatch(session, id)
	pushed, _ := h.mcpUntil(session, `"logger":"ringmaster.damage"`, "")
	if last := pushed[len(pushed)-1]; !strings.Contains(last, `"type":"damage"`) || !strings.Contains(last, id) || !strings.Contains(last, "000001.ndjson") {
		t.Errorf("%s", last)
	}
}

// expectPrompt gives the id of the prompt of the first turn.
func (h *harness) expectPrompt(id string) (prompt string) {
	h.t.Helper()
	for line := range bytes.Lines(h.log(id, "")) {
		e, err := protocol.Decode(bytes.TrimSuffix(line, []byte("\n")))
		if err != nil {
			h.t.Fatal(err)
		}
		if p, ok := e.Payload.(*protocol.TurnStart); ok && p.Prompt != nil {
			return p.Prompt.PromptID
		}
	}
	h.t.Fatal("no turn")
	return ""
}

// spoiled has a session that is live, of which a line in the middle of its journal is not what it was, under everybody who reads.
func (h *harness) spoiled(spoil func(lines []byte) []byte) (id string, whole []byte) {
	h.t.Helper()
	id = h.create("echo")
	for range 4 {
		h.turn(id, strings.Repeat("a long word ", 200))
	}
	whole = h.log(id, "")
	file := filepath.Join(h.tree.dir, id, "000001.ndjson")
	f, err := os.OpenFile(file, os.O_RDWR, 0)
	if err != nil {
		h.t.Fatal(err)
	}
	defer f.Close()
	bad := spoil(bytes.Clone(whole))
	if _, err := f.WriteAt(bad, 0); err != nil {
		h.t.Fatal(err)
	}
	if err := f.Truncate(int64(len(bad))); err != nil {
		h.t.Fatal(err)
	}
	return id, whole
}

// TestDamageIsFoundWhileItIsRead: a line that is not what was written is found by whoever reads it while the session is live. The reader gets what
// precedes it and is told that this is not the end; the session is read-only from then on, and no other one is touched.
func TestDamageIsFoundWhileItIsRead(t *testing.T) {
	spoils := map[string]func([]byte) []byte{
		"cut":   func(b []byte) []byte { return b[:len(b)/2] },
		"zeros": func(b []byte) []byte { clear(b[len(b)/2 : len(b)/2+4096]); return b },
	}
	reads := map[string]func(t *testing.T, h *harness, id string, whole []byte){
		"log":         func(_ *testing.T, h *harness, id string, whole []byte) { h.damagedLog(id, whole, "", "identity") },
		"log, zipped": func(_ *testing.T, h *harness, id string, whole []byte) { h.damagedLog(id, whole, "", "gzip") },
		"log, settled": func(_ *testing.T, h *harness, id string, whole []byte) {
			h.damagedLog(id, whole, "?view=settled", "gzip")
		},
		"stream":     func(_ *testing.T, h *harness, id string, _ []byte) { h.damagedStream(id, "/stream") },
		"log/events": func(_ *testing.T, h *harness, id string, _ []byte) { h.damagedStream(id, "/log/events") },
		"state": func(t *testing.T, h *harness, id string, _ []byte) {
			if r := h.want(http.StatusOK, "GET", "/sessions/"+id+"/state", ""); !bytes.Contains(r.body, []byte(`"damage":{"file":"000001.ndjson"`)) {
				t.Errorf("%s", r.body)
			}
		},
		"text": func(_ *testing.T, h *harness, id string, _ []byte) {
			h.refused(http.StatusInternalServerError, protocol.CodeDamaged, "GET", "/sessions/"+id+"/entries/none/text", "")
		},
		"session_events": func(t *testing.T, h *harness, id string, _ []byte) {
			out := callTool[map[string]any](h.connect(oldEra), "session_events", args{"session_id": id, "max_events": 1000, "max_bytes": 4 << 20})
			if text, _ := out["damage"].(string); !strings.Contains(text, "000001.ndjson is damaged") || len(out["events"].([]any)) == 0 {
				t.Errorf("%v", out)
			}
		},
		"session_summary": func(t *testing.T, h *harness, id string, _ []byte) {
			if out := callTool[map[string]any](h.connect(oldEra), "session_summary", args{"session_id": id}); out["damage"] == nil {
				t.Errorf("%v", out)
			}
		},
	}
	for what, spoil := range spoils {
		for how, read := range reads {
			if what+how == "zeroslog" { // goes from the file to the socket: nobody looks at it
				continue
			}
			t.Run(what+"/"+how, func(t *testing.T) {
				h := newHarness(t)
				h.tree.ring = 1 // readers need the journal
				other := h.create("echo")
				h.turn(other, "hi")
				id, whole := h.spoiled(spoil)
				read(t, h, id, whole)
				h.refused(http.StatusServiceUnavailable, protocol.CodeReadOnly, "POST", "/sessions/"+id+"/prompts", `{"text":"x"}`)
				h.turn(other, "go on")
			})
		}
	}
}

// damagedLog expects the beginning of a log and the line that says that it ends early.
func (h *harness) damagedLog(id string, whole []byte, query, coding string) {
	h.t.Helper()
	r := h.want(http.StatusOK, "GET", "/sessions/"+id+"/log"+query, "", "Accept-Encoding", coding)
	got := r.plain(h.t)
	at := bytes.LastIndexByte(bytes.TrimSuffix(got, []byte("\n")), '\n') + 1
	if m, err := protocol.DecodeMessage(bytes.TrimSpace(got[at:])); err != nil {
		h.t.Fatalf("%v: %q", err, got[at:])
	} else if d, ok := m.(*protocol.Damage); !ok || d.File != "000001.ndjson" || d.Seq == 0 {
		h.t.Fatalf("%+v", m)
	}
	for line := range bytes.Lines(got[:at]) {
		if !bytes.Contains(whole, line) {
			h.t.Fatalf("%q is no line of the log", line)
		}
	}
	if query == "" && !bytes.HasPrefix(whole, got[:at]) {
		h.t.Errorf("%d bytes are not the beginning of the log", at)
	}
}

// damagedStream expects the first events of a log and the message that it ends early.
func (h *harness) damagedStream(id, way string) {
	h.t.Helper()
	f := h.follow("/sessions/" + id + way)
	defer f.close()
	for seq := uint64(1); ; seq++ {
		switch m := f.next().(type) {
		case *protocol.Event:
			if m.Seq != seq {
				h.t.Fatalf("event %d instead of %d", m.Seq, seq)
			}
		case *protocol.Damage:
			if m.Seq > seq || seq < 3 { // of the batch that is damaged a few lines may be good
				h.t.Fatalf("after %d events: %+v", seq-1, m)
			}
			return
		default:
			h.t.Fatalf("%+v", m)
		}
	}
}
