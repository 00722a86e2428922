package api

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

func TestLog(t *testing.T) {
	h := newHarness(t)
	id := h.create("busy")
	h.tree.grow(id, 200)
	h.want(http.StatusOK, "POST", "/sessions/"+id+"/end", "")
	r := h.want(http.StatusOK, "GET", "/sessions/"+id+"/log", "")
	version := r.Header.Get("X-Session-Version")
	n := 0
	for e, err := range protocol.Events(bytes.NewReader(r.body)) {
		if n++; err != nil || e.Seq != uint64(n) {
			t.Fatalf("line %d: seq %d, %v", n, e.Seq, err)
		}
	}
	for k, want := range map[string]string{
		"Content-Type": "application/x-ndjson", "X-Session-Epoch": "1", "X-Session-Version": strconv.Itoa(n),
		"Content-Length": strconv.Itoa(len(r.body)), "Vary": "Accept-Encoding", "Content-Encoding": "", "ETag": `"1.0-` + version + `"`,
	} {
		if got := r.Header.Get(k); got != want {
			t.Errorf("%s is %q, want %q", k, got, want)
		}
	}
	head := h.want(http.StatusOK, "HEAD", "/sessions/"+id+"/log", "")
	if len(head.body) != 0 || head.ContentLength != int64(len(r.body)) || head.Header.Get("X-Session-Version") != version {
		t.Errorf("HEAD: %d %v", head.ContentLength, head.Header)
	}
	if same := h.log(id, "?format=ndjson&since=0"); !bytes.Equal(same, r.body) {
		t.Error("since=0 is not the whole log")
	}
	if none := h.want(http.StatusOK, "GET", "/sessions/"+id+"/log?since="+version, ""); len(none.body) != 0 || none.Header.Get("X-Session-Version") != version {
		t.Errorf("a client that has everything gets %q", none.body)
	}
	for _, cursor := range []string{strconv.Itoa(n + 1), "2.1", "9007199254740991"} {
		p := h.refused(http.StatusGone, protocol.CodeCursorReset, "GET", "/sessions/"+id+"/log?since="+cursor, "")
		if p.Epoch != 1 || p.Oldest != 1 || p.Newest != uint64(n) {
			t.Errorf("since %s: %+v", cursor, p)
		}
	}
	h.refused(http.StatusBadRequest, protocol.CodeInvalidRequest, "GET", "/sessions/"+id+"/log?since=1.2", "")
	h.refused(http.StatusUnprocessableEntity, protocol.CodeInvalidRequest, "GET", "/sessions/"+id+"/log?view=none", "")
	h.refused(http.StatusUnprocessableEntity, protocol.CodeInvalidRequest, "GET", "/sessions/"+id+"/log?format=xml", "")
	h.refused(http.StatusNotFound, protocol.CodeSessionNotFound, "GET", "/sessions/0b6c3a3e-5a0f-4f57-9a53-6a0f2d0c7f11/log", "")
}

// Proves: 002.14.2
func TestLogEncodings(t *testing.T) {
	h := newHarness(t)
	id := h.create("busy")
	h.tree.grow(id, 500)
	h.want(http.StatusOK, "POST", "/sessions/"+id+"/end", "")
	plain := h.log(id, "")
	tags := map[string]string{}
	for accept, want := range map[string]string{
		"": "", "identity": "", "gzip": "gzip", "zstd": "zstd", "gzip, deflate, br, zstd": "zstd", "gzip;q=1.0, zstd;q=0.5": "gzip",
		"zstd;q=0, gzip": "gzip", "*": "zstd", "*;q=0.1, gzip": "gzip", "identity, gzip;q=0.5": "", "br": "", "GZIP": "gzip", "gzip;q=0": "",
		"gzip ; q=0.8 , *;q=0": "gzip",
	} {
		r := h.want(http.StatusOK, "GET", "/sessions/"+id+"/log", "", "Accept-Encoding", accept)
		if got := r.Header.Get("Content-Encoding"); got != want {
			t.Errorf("Accept-Encoding %q: %q, want %q", accept, got, want)
			continue
		}
		if got := decoded(t, want, r.body); !bytes.Equal(got, plain) {
			t.Errorf("Accept-Encoding %q: other bytes", accept)
		}
		tag := r.Header.Get("ETag")
		if old, seen := tags[want]; seen && old != tag {
			t.Errorf("%s has the tags %s and %s", want, old, tag)
		}
		tags[want] = tag
		if nm := h.do("GET", "/sessions/"+id+"/log", "", "Accept-Encoding", accept, "If-None-Match", `"x", W/`+tag); nm.StatusCode != http.StatusNotModified ||
			len(nm.body) != 0 || nm.Header.Get("ETag") != tag || nm.Header.Get("X-Session-Version") == "" {
			t.Errorf("Accept-Encoding %q, If-None-Match: %d", accept, nm.StatusCode)
		}
	}
	if len(tags) != 3 || tags[""] == tags["gzip"] || tags["gzip"] == tags["zstd"] {
		t.Errorf("tags %v", tags)
	}
	h.refused(http.StatusNotAcceptable, protocol.CodeInvalidRequest, "GET", "/sessions/"+id+"/log", "", "Accept-Encoding", "br, identity;q=0")
	last := strconv.FormatUint(seqOf(h, id)-1, 10)
	small := h.want(http.StatusOK, "GET", "/sessions/"+id+"/log?since="+last, "", "Accept-Encoding", "gzip")
	if small.Header.Get("Content-Encoding") != "" {
		t.Error("a few bytes were compressed")
	}
	h.want(http.StatusOK, "GET", "/sessions/"+id+"/log", "", "If-None-Match", `"1.0-1"`)
}

func decoded(t *testing.T, encoding string, b []byte) []byte {
	t.Helper()
	var r io.Reader = bytes.NewReader(b)
	var err error
	switch encoding {
	case "gzip":
		r, err = gzip.NewReader(r)
	case "zstd":
		r, err = zstd.NewReader(r)
	}
	if err != nil {
		t.Fatal(err)
	}
	out, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestSettled: the settled view has every line but the deltas of entries that have ended, and folds to the same state.
// Proves: C12
func TestSettled(t *testing.T) {
	h := newHarness(t)
	id := h.create("busy")
	a := h.tree.agentOf(id)
	h.tree.grow(id, 100)
	open := a.message("open", 5)
	a.say(open[:len(open)-1]...) // stays open
	h.want(http.StatusOK, "PATCH", "/sessions/"+id, `{"title":"behind all of it"}`)
	full, settled := h.log(id, ""), h.log(id, "?view=settled")
	ended := map[string]bool{}
	for e := range events(t, full) {
		if p, ok := e.Payload.(*protocol.EntryEnd); ok {
			ended[p.EntryID] = true
		}
	}
	var want []byte
	kept := 0
	for e := range events(t, full) {
		if p, ok := e.Payload.(*protocol.EntryDelta); ok {
			if ended[p.EntryID] {
				continue
			}
			kept++
		}
		want = protocol.AppendLine(want, e)
	}
	if !bytes.Equal(settled, want) || kept != 5 || len(ended) == 0 {
		t.Fatalf("%d open deltas, %d ended entries; got\n%s", kept, len(ended), settled)
	}
	var x, y protocol.SessionState
	for e := range events(t, full) {
		x.Apply(e)
	}
	for e := range events(t, settled) {
		y.Apply(e)
	}
	if string(x.AppendJSON(nil)) != string(y.AppendJSON(nil)) {
		t.Error("the settled view folds to another state")
	}
	zipped := h.want(http.StatusOK, "GET", "/sessions/"+id+"/log?view=settled", "", "Accept-Encoding", "gzip")
	if !bytes.Equal(decoded(t, "gzip", zipped.body), settled) || zipped.Header.Get("ETag") == h.want(200, "GET", "/sessions/"+id+"/log", "", "Accept-Encoding", "gzip").Header.Get("ETag") {
		t.Error("the compressed settled view differs, or has the tag of the full one")
	}
}

func events(t *testing.T, log []byte) func(func(*protocol.Event) bool) {
	return func(yield func(*protocol.Event) bool) {
		for e, err := range protocol.Events(bytes.NewReader(log)) {
			if err != nil {
				t.Fatal(err)
			}
			if !yield(&e) {
				return
			}
		}
	}
}

// TestLogIsCutLoudly: of a log that a disk has lost half of the client sees a broken transfer, or that it ends early, and no whole-looking log.
func TestLogIsCutLoudly(t *testing.T) {
	h := newHarness(t)
	id := h.create("busy")
	h.tree.grow(id, 3000)
	h.want(http.StatusOK, "POST", "/sessions/"+id+"/end", "")
	full := h.log(id, "")
	shrink(t, h.tree, id, int64(len(full)/2))
	for _, accept := range []string{"identity", "gzip"} {
		res, err := h.http.Do(h.request("GET", "/sessions/"+id+"/log", "", "Accept-Encoding", accept))
		if err != nil {
			continue // cut before the headers were out
		}
		_, err = io.ReadAll(res.Body)
		_ = res.Body.Close()
		if err == nil && res.Header.Get("X-Session-Damage") == "" {
			t.Errorf("%s: half a log was answered as a whole one", accept)
		}
	}
}

func TestSessionNumbersAreNumbers(t *testing.T) {
	h := newHarness(t)
	id := h.create("echo")
	var raw map[string]json.RawMessage
	h.want(http.StatusOK, "GET", "/sessions/"+id, "").into(t, &raw)
	if strings.HasPrefix(string(raw["seq"]), `"`) || string(raw["queue"]) != "[]" || string(raw["requests"]) != "[]" {
		t.Errorf("seq %s, queue %s, requests %s", raw["seq"], raw["queue"], raw["requests"])
	}
}
