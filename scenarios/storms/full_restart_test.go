package storms

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/scenarios/figures"
)

// One daemon after the other, on one small disk, until there is a file; what an end has freed is taken before the next one starts.
const oneAfterTheOther = `mount -t tmpfs -o size=8m,mode=700 tmpfs "$DATA"; n=0; while [ ! -e "$HOME/enough" ]; do
	"$@"; n=$((n+1)); [ -e "$HOME/room" ] || cat /dev/zero >"$DATA/ballast.$n" 2>/dev/null; done`

// TestFullDiskAndRestarts ends a daemon whose disk is full, in order and by kill -9, time and again: the next one starts, says that it takes nothing, shows
// what was shown, and removes what is deleted; and when there is room its sessions go on by themselves with what they had accepted (P10).
func TestFullDiskAndRestarts(t *testing.T) {
	needMount(t)
	if !size.full {
		t.Parallel()
	}
	d := &fullDaemon{daemon: start(t, confined{script: `exec unshare -rm sh -c '` + oneAfterTheOther + `' sh "$@"`, socket: true})}
	tell := func(what string) {
		if err := os.WriteFile(filepath.Join(d.root, what), nil, 0o600); err != nil {
			t.Error(err)
		}
	}
	t.Cleanup(func() {
		tell("enough")
		if pid := d.pid(t); pid > 0 {
			_ = syscall.Kill(pid, syscall.SIGKILL) // it may have ended
		}
	})
	d.overSocket()
	talks, rests, gone := d.create(), d.create(), []string{d.create(), d.create(), d.create(), d.create()}
	kept := []string{talks, rests}
	d.mustPrompt(rests, pong)
	d.rests(rests, 1, 20*time.Second)
	d.mustPrompt(talks, `[{"say": {"text": "`+strings.Repeat("at work while the disk fills up ", 40)+`", "chunk": 3, "every": "20ms"}}]`)
	ballast := d.inside(filepath.Join(d.data, "ballast"))
	fill(t, ballast)

	accepted, shown := map[string][]string{}, map[string][]byte{}
	look := func(when string) {
		for _, id := range kept {
			now := d.must(http.MethodGet, "/sessions/"+id+"/log", nil)
			if !bytes.HasPrefix(now, shown[id]) {
				t.Fatalf("%s: what was shown of %s is lost", when, id)
			}
			shown[id] = now
			for _, p := range accepted[id] {
				if !bytes.Contains(now, []byte(p)) {
					t.Fatalf("%s: prompt %s was accepted, and is lost", when, p)
				}
			}
		}
	}
	ends := []syscall.Signal{syscall.SIGTERM, syscall.SIGKILL, syscall.SIGKILL, syscall.SIGTERM}
	if !size.full {
		ends = ends[:2]
	}
	for n, sig := range ends {
		when := fmt.Sprintf("after %d (%v)", n, sig)
		for _, id := range kept {
			accepted[id] = append(accepted[id], d.untilRefused(t, id)...)
		}
		look(when)
		d.next(t, sig)
		if status, body, err := d.call(t.Context(), http.MethodGet, "/ready", nil); err != nil || status != http.StatusServiceUnavailable || code(body) != "read_only" {
			t.Errorf("%s: ready: %d %s, %v", when, status, body, err)
		}
		if status, body, err := d.call(t.Context(), http.MethodPost, "/sessions", args{"agent": "scripted", "cwd": d.root}); err != nil || code(body) != "read_only" {
			t.Errorf("%s: a new session: %d %s, %v", when, status, body, err)
		}
		look(when)
		d.delete(gone[n])
		if _, err := os.Stat(d.inside(filepath.Join(d.data, "sessions", gone[n]))); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: what was deleted is left: %v", when, err)
		}
		fill(t, ballast+strconv.Itoa(n)) // what that has freed
	}

	tell("room")
	for _, name := range d.ballasts(t) {
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
	freed := time.Now()
	for _, id := range kept {
		d.goesOn(t, id)
	}
	atMost(t, figures.Figure{Name: "recovered after restarts on a full disk in", Value: time.Since(freed).Seconds(), Unit: "s", Promise: "P10"}, 5, 15)
	for _, id := range kept {
		turns := 1 + len(accepted[id]) // each takes the agent some two seconds
		d.rests(id, turns, time.Duration(10+3*turns)*time.Second)
	}
	look("with room")
	d.next(t, syscall.SIGTERM)
	look("after an end with room")
	for _, id := range kept {
		if body := d.must(http.MethodGet, "/sessions/"+id, nil); !bytes.Contains(body, []byte(`"epoch":1`)) || bytes.Contains(body, []byte(`"readOnly":true`)) {
			t.Errorf("%s", body)
		}
	}
	note(t, figures.Figure{Name: "restarts on a full disk", Value: float64(len(ends)), Promise: "P10"}, true)

	tell("enough")
	if pid := d.pid(t); pid > 0 {
		if err := syscall.Kill(pid, syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
	}
	<-d.ended
	if pids := d.agents(); len(pids) > 0 {
		t.Errorf("processes left: %v", pids)
	}
	if lines := d.said("no space left", "Killed"); lines != "" {
		t.Errorf("the daemons' logs:\n%s", lines)
	}
}

// pid is that of the daemon that runs now, below the shell; 0: none does.
func (d *fullDaemon) pid(t *testing.T) int {
	t.Helper()
	self := strconv.Itoa(d.cmd.Process.Pid)
	text, err := os.ReadFile(filepath.Join("/proc", self, "task", self, "children"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	for word := range strings.FieldsSeq(string(text)) {
		if pid, err := strconv.Atoi(word); err == nil {
			return pid
		}
	}
	return 0
}

// next ends the daemon by a signal and waits for the one after it.
func (d *fullDaemon) next(t *testing.T, sig syscall.Signal) {
	t.Helper()
	before := d.pid(t)
	if before == 0 {
		t.Fatalf("no daemon runs\n%s", d.said())
	}
	if err := syscall.Kill(before, sig); err != nil {
		t.Fatal(err)
	}
	if err := eventually(t.Context(), 30*time.Second, func() error {
		if now := d.pid(t); now == 0 || now == before {
			return fmt.Errorf("process %d after %d", now, before)
		}
		d.http.CloseIdleConnections()
		if _, body, err := d.call(t.Context(), http.MethodGet, "/ready", nil); err != nil || code(body) == "unavailable" {
			return fmt.Errorf("it is starting: %s, %w", body, err)
		}
		return nil
	}); err != nil {
		t.Fatalf("no other daemon: %v\n%s", err, d.said())
	}
}
