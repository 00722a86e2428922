package storms

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/scenarios/figures"
)

// A data folder on a disk of 8 MiB of its own.
const smallDisk = `mount -t tmpfs -o size=8m,mode=700 tmpfs "$DATA" && exec "$@"`

// TestDiskIsFull fills the disk below a working daemon: sessions refuse work with a typed error and can be read, nothing that was
// shown is lost, and they go on by themselves when there is room again (P10).
func TestDiskIsFull(t *testing.T) {
	needMount(t)
	if !size.full {
		t.Parallel()
	}
	d := start(t, confined{script: `exec unshare -rm sh -c '` + smallDisk + `' sh "$@"`})
	full, other := d.create(), d.create()
	healthy := newProber(t, d, other, 0)
	turns(t, 5, healthy)
	base := d.mustVitals()

	ballast := d.inside(filepath.Join(d.data, "ballast"))
	d.mustPrompt(full, `[{"say": {"text": "at work while the disk fills up", "chunk": 1, "every": "20ms"}}]`)
	fill(t, ballast)
	// The prompt that finds the disk full waits for it some seconds; those that come behind it are told at once.
	if err := eventually(t.Context(), 10*time.Second, func() error {
		patient, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		status, body, err := d.call(patient, http.MethodPost, "/sessions/"+full+"/prompts", map[string]string{"text": "play\n```script\n" + pong + "\n```"})
		if err == nil && (status < 400 || code(body) != "read_only") {
			err = fmt.Errorf("a prompt on a full disk: %d %s", status, body)
		}
		return err
	}); err != nil {
		t.Error(err)
	}
	shown := d.lines(full)
	if status, body, err := d.call(t.Context(), http.MethodPost, "/sessions", map[string]string{"agent": "scripted", "cwd": d.root}); err != nil ||
		status < 400 || code(body) != "read_only" {
		t.Errorf("a new session on a full disk: %d %s, %v", status, body, err)
	}
	for _, path := range []string{"/sessions", "/sessions/" + full, "/sessions/" + full + "/state", "/sessions/" + other + "/log", "/metrics", "/health"} {
		if _, err := d.want(t.Context(), http.MethodGet, path, nil); err != nil {
			t.Errorf("reading on a full disk: %v", err)
		}
	}

	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	freed := time.Now()
	if err := eventually(t.Context(), 20*time.Second, func() error { return d.prompt(t.Context(), full, pong) }); err != nil {
		t.Error(err)
	}
	recovered := time.Since(freed)
	d.rests(full, 2, 20*time.Second)
	turns(t, 5, healthy)
	lost := 0
	now := d.lines(full)
	for i, line := range shown {
		if i >= len(now) || !bytes.Equal(line, now[i]) {
			lost++
		}
	}
	count(t, "events lost by a full disk", "P10", lost)
	atMost(t, figures.Figure{Name: "recovered after a full disk in", Value: recovered.Seconds(), Unit: "s", Promise: "P10"}, 5, 15)
	healthy.close()
	d.returns(base, 20*time.Second)
	d.stop("no space left")
}

// needMount skips where the daemon cannot have a file system of its own.
func needMount(t *testing.T) {
	t.Helper()
	needProcess(t)
	if out, err := exec.Command("unshare", "-rm", "sh", "-c", "mount -t tmpfs tmpfs /tmp").CombinedOutput(); err != nil {
		t.Skipf("no file systems of one's own here: %v: %s", err, out)
	}
}

// fill takes all that is left of a disk.
func fill(t *testing.T, name string) {
	t.Helper()
	f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	for piece := bytes.Repeat([]byte{'x'}, 64<<10); len(piece) > 0; {
		if _, err := f.Write(piece); err != nil {
			piece = piece[:len(piece)/2]
		}
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// code is that of a problem; empty: the body is none.
func code(body []byte) string {
	var p struct{ Code string }
	_ = json.Unmarshal(body, &p)
	return p.Code
}

// manyFiles is the number of descriptors that a daemon has which is short of them.
const manyFiles = 200

// TestDescriptorsAreGone lets more clients come than the daemon has descriptors: those that are served go on, sessions work, whoever
// comes too late waits or is told, and all is well when the clients go.
func TestDescriptorsAreGone(t *testing.T) {
	needProcess(t)
	if !size.full {
		t.Parallel()
	}
	d := start(t, confined{script: fmt.Sprintf(`ulimit -n %d && exec "$@"`, manyFiles)})
	id, passive := d.create(), d.create()
	d.rests(passive, 0, 20*time.Second)
	healthy := newProber(t, d, id, 0)
	turns(t, 5, healthy)
	base := d.mustVitals()

	crowd, theirs := make([]*wire, 2*manyFiles), d.token("admin:ro", "")
	for i := range crowd {
		w := newWire(d)
		w.secret = theirs
		if err := w.dial(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := w.send(w.head(http.MethodGet, "/sessions/"+passive+"/stream")); err != nil {
			t.Fatal(err)
		}
		crowd[i] = w
	}
	patience := 5 * time.Second // of all of them together
	served := 0
	for _, w := range crowd {
		began := time.Now()
		res, err := w.answer(max(patience, time.Millisecond))
		patience -= time.Since(began)
		switch {
		case errors.Is(err, os.ErrDeadlineExceeded): // it waits
		case err != nil:
			t.Errorf("a client that came is sent away: %v", err)
		case res.StatusCode == http.StatusOK:
			served++
		case res.StatusCode != http.StatusServiceUnavailable:
			t.Errorf("a client that came is told %s", res.Status)
		}
	}
	open, err := os.ReadDir(d.proc("fd"))
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d of %d clients served, %d descriptors", served, len(crowd), len(open))
	if served == 0 || served == len(crowd) {
		t.Errorf("%d of %d clients are served with %d descriptors", served, len(crowd), manyFiles)
	}
	// Over connections that are there everything goes on, and new files are opened.
	turns(t, 20, healthy)
	d.mustPrompt(passive, pong)
	d.rests(passive, 1, 20*time.Second)
	third := d.create()
	d.mustPrompt(third, pong)
	d.rests(third, 1, 20*time.Second)
	if n := len(d.lines(third)); n < 5 {
		t.Errorf("the log of a session made meanwhile has %d events", n)
	}

	for _, w := range crowd {
		w.leave(true)
	}
	last := newWire(d) // who was told to come again is served
	if err := eventually(t.Context(), 10*time.Second, func() error {
		last.leave(true)
		return last.get(t.Context(), "/sessions/"+passive+"/stream", 10*time.Second)
	}); err != nil {
		t.Errorf("who comes again is not served: %v", err)
	}
	last.leave(false)
	d.delete(third)
	took := d.returns(base, 20*time.Second)
	note(t, figures.Figure{Name: "clients without a descriptor left for them", Value: float64(len(crowd) - served), Promise: "T21"}, true)
	atMost(t, figures.Figure{Name: "back from no descriptors in", Value: took.Seconds(), Unit: "s", Promise: "T21"}, 5, 15)
	healthy.close()
	if lines := d.said(); strings.Contains(lines, "too many open files") {
		t.Errorf("something had no descriptor: %s", lines)
	}
	d.stop()
}
