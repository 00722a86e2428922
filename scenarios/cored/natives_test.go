package cored

import (
	"bytes"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/core"
)

// shared begins with a node whose sessions other nodes can have, and that finishes archives of native lines early.
func shared(t *testing.T) (w, other *world) {
	t.Helper()
	w, other = apart(t)
	w.launch()
	other.launch()
	return w, other
}

// served is shared where the nodes reach Core over HTTP.
func served(t *testing.T) (w, other *world) {
	t.Helper()
	w, other = apart(t)
	s := &server{world: w, at: free(t)}
	s.begins()
	t.Cleanup(func() { _ = s.ends(os.Kill) })
	s.admit(w, "rack 1")
	s.admit(other, "rack 2")
	w.launch()
	other.launch()
	return w, other
}

// apart are two such nodes that are not started yet.
func apart(t *testing.T) (w, other *world) {
	t.Helper()
	t.Setenv("RINGMASTER_FAILPOINT_SIZES", "raw/roll=65536")
	dir := t.TempDir()
	w = prepare(t, t.TempDir(), append(peersFlags, "--root", dir, "--workspace", "shop="+dir, "--failover", "auto", "--node-lease", "2s")...)
	other = w.beside()
	w.root, other.root = dir, dir
	return w, other
}

// lines are the native lines of a session as a node gives them.
func (w *world) lines(id string) []string {
	w.t.Helper()
	answer, text := w.fetch("/sessions/" + id + "/raw")
	if answer.StatusCode != http.StatusOK {
		w.t.Fatalf("native lines: %d %.300s", answer.StatusCode, text)
	}
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}

// archived are the segments of native lines that Core has of a session.
func (w *world) archived(id string) []core.NativeSegment {
	w.t.Helper()
	c := w.joined()
	defer c.Close()
	list, err := c.Archived(w.t.Context(), id)
	if err != nil {
		w.t.Fatal(err)
	}
	return list
}

// archives counts the objects in the folder that are of native lines.
func (w *world) archives() int {
	w.t.Helper()
	list, err := filepath.Glob(filepath.Join(w.objects, "sessions", "*", "raw", "*", "*"))
	if err != nil {
		w.t.Fatal(err)
	}
	return len(list)
}

// has says that a session is on the node.
func (w *world) has(id string) bool {
	w.t.Helper()
	status, _, text := w.ask("GET", "/sessions/"+id, "")
	return status == http.StatusOK && !strings.Contains(text, `"node"`)
}

// events are the members that name those which a line became.
var events = regexp.MustCompile(`"(from|to)":[0-9]+,`)

func begins(t *testing.T, what string, got, want []string) {
	t.Helper()
	if len(got) < len(want) {
		t.Fatalf("%s: %d lines, want %d at least", what, len(got), len(want))
	}
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("%s: line %d is\n%.400s\nwant\n%.400s", what, i+1, got[i], want[i])
		}
	}
}

// TestNativeLinesAtAnotherNode: the native lines of a session that moves by a drain are, at the other node, those that the first one had; of a node that is killed
// they are what had been finished, and a note names the events whose lines are missing, until the node is back. They go with their session.
//
// Proves: I16.5/raw-real, 002.9.3/objects
func TestNativeLinesAtAnotherNode(t *testing.T) {
	w, other := shared(t)
	linesMove(t, w, other)
}

// TestNativeLinesOverHTTP: nodes that reach Core, and the object store, through a server alone have each other's native lines all the same, also those that a
// node puts when another one has the session.
//
// Proves: I16.5/raw-real
func TestNativeLinesOverHTTP(t *testing.T) {
	w, other := served(t)
	linesMove(t, w, other)
}

// linesMove has a session move by a drain, and by a kill of its node, which comes back.
func linesMove(t *testing.T, w, other *world) {
	t.Helper()
	w.create()
	id := w.ids[0]
	w.play(`[{"flood":{"lines":9000,"size":200}},{"say":{"text":"Done."}}]`)
	w.rest()
	had := w.lines(id)
	if len(had) < 9000 {
		t.Fatalf("%d lines", len(had))
	}
	w.until("what is finished of them is in the store", func() bool { return len(w.archived(id)) > 0 })
	other.knows(id)
	begins(t, "through the other node", other.lines(id), had)
	if out, err := exec.Command(w.program, "node", "drain", "--wait", "1s", "--data", w.data).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	answer, _ := other.fetch("/sessions/" + id + "/raw")
	if from := answer.Header.Get("X-Session-Source"); from != "core" {
		t.Errorf("when nobody has it, it is from %q", from)
	}
	all := other.lines(id)
	begins(t, "out of Core", all, had)
	if last := all[len(all)-1]; !strings.Contains(last, `"event":"exit"`) {
		t.Errorf("the last line is %s", last)
	}
	other.ids = []string{id}
	other.play(`[{"say":{"text":"Here."}}]`)
	other.rest()
	two := other.lines(id)
	begins(t, "at the other node", two, all)
	if len(two) == len(all) || !strings.Contains(two[len(all)], `"event":"spawn"`) || slices.ContainsFunc(two, isMissing) {
		t.Errorf("the other node's own lines begin with %s", two[len(all)])
	}

	w.daemon.Kill() // it drains, for all of its life
	w.start()
	other.play(`[{"flood":{"lines":9000,"size":200}},{"say":{"text":"Done."}}]`)
	other.rest()
	var put uint64
	other.until("something of it was finished", func() bool {
		list := other.archived(id)
		put = list[len(list)-1].Object.Last
		return list[len(list)-1].Node != list[0].Node
	})
	other.play(`[{"say":{"text":"Now."}},{"wait":{"for":"1h"}}]`)
	var before []string
	other.until("it works, and says nothing more: lines that are a moment old go with a daemon that is killed", func() bool {
		_, _, text := other.ask("GET", "/sessions/"+id, "")
		before = other.lines(id)
		asks := slices.IndexFunc(before[len(two):], func(line string) bool { return strings.Contains(line, "Now.") })
		last := before[len(before)-1]
		return strings.Contains(text, `"responding"`) && asks >= 0 && strings.Contains(last, `"response","command":"get_entries"`)
	})
	other.daemon.Kill()
	w.until("it is taken over", func() bool { return w.has(id) })
	got := w.lines(id)
	n := slices.IndexFunc(got, isMissing)
	if n < len(two) || !strings.Contains(got[n], `"from":`) || numberOf(before[n-1]) < put {
		t.Fatalf("%d lines of %d were finished, up to %d; the note is line %d: %s", n, len(before), put, n, got[n])
	}
	begins(t, "what had been finished", got, before[:n])

	other.start()
	w.until("the hole is closed", func() bool { return !slices.ContainsFunc(w.lines(id), isMissing) })
	whole := w.lines(id)
	for i := range before {
		whole[i], before[i] = events.ReplaceAllString(whole[i], ""), events.ReplaceAllString(before[i], "")
	}
	begins(t, "when the node is back", whole, before)

	if out, err := exec.Command(w.program, append([]string{"core", "verify", "--data", w.data}, w.where()...)...).CombinedOutput(); err != nil || !bytes.Contains(out, []byte(" native lines and ")) {
		t.Errorf("core verify: %v\n%s", err, out)
	}
	if status, _, text := w.ask("DELETE", "/sessions/"+id, ""); status >= 300 {
		t.Fatal(status, text)
	}
	w.until("it is gone", func() bool { return len(w.archived(id)) == 0 })
	w.later("25 hours")
	w.compact(t.Context())
	if n := w.archives(); n != 0 {
		t.Errorf("%d objects are left", n)
	}
}

func isMissing(line string) bool {
	return strings.Contains(line, `"dir":"note"`) && strings.Contains(line, `"data":{"event":"missing"}`)
}

// numberOf is the number of a line.
func numberOf(line string) (n uint64) {
	for _, c := range strings.TrimPrefix(line, `{"line":`) {
		if c < '0' || c > '9' {
			break
		}
		n = 10*n + uint64(c-'0')
	}
	return n
}

// TestNodeDiesWhileItPutsNativeLines: a daemon that dies before and behind the object puts what it had at its next start, and the object that nobody names goes.
//
// Proves: I16.5/raw-real
func TestNodeDiesWhileItPutsNativeLines(t *testing.T) {
	w, _ := shared(t)
	w.create()
	id := w.ids[0]
	for _, point := range []string{"cold/nativeIntended#1", "cold/nativePut#1"} {
		w.daemon.Kill()
		if w.tryToStart("RINGMASTER_FAILPOINT="+point+"@0s") == nil { // else it has died of what the one before had left
			_ = w.tryToPlay(t.Context(), id, `[{"flood":{"lines":9000,"size":200}},{"say":{"text":"Done."}}]`)
		}
		w.dies(point)
		w.later("11 minutes")
	}
	w.start()
	w.rest()
	if status, _, text := w.ask("POST", "/sessions/"+id+"/end", ""); status >= 300 { // its connection ends then
		t.Fatal(status, text)
	}
	w.until("all of it was put", func() bool {
		own, list := w.lines(id), w.archived(id)
		if isMissing(own[len(own)-1]) { // the death took lines that waited for the disk
			own = own[:len(own)-1]
		}
		return len(list) > 0 && list[len(list)-1].Object.Last == numberOf(own[len(own)-1])
	})
	w.later("25 hours")
	before := w.archives()
	w.compact(t.Context())
	if n := len(w.archived(id)); w.archives() != n || before <= n {
		t.Errorf("of %d objects %d stay, and %d are named", before, w.archives(), n)
	}
	if out, err := exec.Command(w.program, append([]string{"core", "verify", "--data", w.data}, w.where()...)...).CombinedOutput(); err != nil {
		t.Errorf("core verify: %v\n%s", err, out)
	}
}
