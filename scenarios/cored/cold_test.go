package cored

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core/postgres/pgtest"
	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// compact runs `ringmaster core compact`, which moves whatever is in rows, and says whether it came to its end.
func (w *world) compact(ctx context.Context, env ...string) (segments int, ended bool) {
	w.t.Helper()
	args := append([]string{"core", "compact", "--json", "--rest", "1ns", "--full", "20KiB"}, w.direct()...)
	cmd := exec.CommandContext(ctx, w.program, args...)
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.Output()
	var failed *exec.ExitError
	if err != nil && ctx.Err() == nil && (!errors.As(err, &failed) || failed.Exited()) {
		w.t.Fatalf("core compact: %v\n%s\n%+v", err, out, failed)
	}
	var done struct{ Segments int }
	if err == nil {
		err = json.Unmarshal(out, &done)
	}
	return done.Segments, err == nil
}

// later has what was begun to be moved, and what nobody names, be older than it is.
func (w *world) later(by string) {
	w.t.Helper()
	pgtest.Exec(w.t, w.core, "UPDATE session_object SET at = at - interval '"+by+"'")
}

// stored counts the objects in the folder.
func (w *world) stored() (n int) {
	w.t.Helper()
	list, err := filepath.Glob(filepath.Join(w.objects, "sessions", "*", "log", "*"))
	if err != nil {
		w.t.Fatal(err)
	}
	return len(list)
}

// TestColdWhileRead: two nodes on one database and one folder of objects. What the first one says is moved into objects by processes that are killed, at each of
// their steps and at random, while the second one's readers follow, and while the first loses the ends of its logs: byte for byte the same, in every place.
//
// Proves: I16.5/real
func TestColdWhileRead(t *testing.T) {
	w := beginWith(t, t.TempDir())
	for range 3 {
		w.create()
	}
	other := w.neighbour()
	ctx, cancel := context.WithCancel(t.Context())
	var all sync.WaitGroup
	defer all.Wait()
	defer cancel()
	var followers []*follower
	for _, id := range w.ids {
		f := &follower{of: other, id: id}
		followers = append(followers, f)
		all.Go(func() { f.run(ctx) })
	}
	rounds := 40
	if os.Getenv("RINGMASTER_CORE") == "full" {
		rounds = 200
	}
	random := rand.New(rand.NewPCG(16, 5))
	killed, made := 0, 0
	for n := range rounds {
		switch {
		case n%20 == 7:
			w.caughtUp()
			w.loseSent()
		case n%4 == 0:
			w.work()
		}
		if n%10 == 5 { // logs are read from their beginnings while they move
			answer, got := other.fetch("/sessions/" + w.ids[n%3] + "/log")
			if _, want := w.fetch("/sessions/" + w.ids[n%3] + "/log"); !bytes.HasPrefix(want, got) {
				t.Fatalf("round %d: %d: %d bytes at the other node are not those of %d: %.400s", n, answer.StatusCode, len(got), len(want), got)
			}
		}
		end := ctx
		var env []string
		if point := random.IntN(6); point < 4 {
			env = []string{"RINGMASTER_FAILPOINT=cold/" + []string{"afterIntend", "afterPut", "afterCompact", "afterDelete"}[point] + "#1@0s"}
		} else {
			var stop context.CancelFunc
			end, stop = context.WithTimeout(ctx, time.Duration(5+random.IntN(60))*time.Millisecond)
			defer stop()
		}
		segments, ended := w.compact(end, env...)
		if !ended {
			killed++
		}
		made += segments
		w.later("11 minutes")
	}
	w.caughtUp()
	w.compact(ctx)
	if killed < rounds/2 {
		t.Errorf("only %d of %d were killed", killed, rounds)
	}
	for i, id := range w.ids {
		_, want := w.fetch("/sessions/" + id + "/log")
		other.until("the other node has all of "+id, func() bool {
			_, got := other.fetch("/sessions/" + id + "/log")
			return bytes.Equal(got, want)
		})
		f := followers[i]
		other.until("the follower has all of "+id, func() bool { return len(f.text()) >= len(want) })
		if !bytes.Equal(f.text(), want) || f.wrong != nil {
			t.Errorf("%s: who followed has %d bytes, want %d: %v", id, len(f.text()), len(want), f.wrong)
		}
	}
	w.caughtUp() // compares journals with objects
	before := w.stored()
	w.later("25 hours")
	w.compact(ctx)
	t.Logf("%d of %d compactors were killed, %d segments were made by those that were not; of %d objects %d stay", killed, rounds, made, before, w.stored())
	w.caughtUp()
	if before == w.stored() {
		t.Error("nothing was left by those that were killed")
	}
	w.away(other)
}

// checks expects what `ringmaster core check` says of the database and the store.
func (w *world) checks(isRight bool, says ...string) {
	w.t.Helper()
	out, err := exec.Command(w.program, append([]string{"core", "check"}, w.where()...)...).CombinedOutput()
	if (err == nil) != isRight {
		w.t.Errorf("core check: %v", err)
	}
	for _, text := range says {
		if !bytes.Contains(out, []byte(text)) {
			w.t.Errorf("core check does not say %q:\n%s", text, out)
		}
	}
}

// away: without its object store a node sends, and says of what is there alone that it cannot be read.
func (w *world) away(other *world) {
	w.t.Helper()
	w.checks(true, "right  objects   race", "right  database  durability")
	hidden := w.objects + ".away"
	if err := os.Rename(w.objects, hidden); err != nil {
		w.t.Fatal(err)
	}
	if out, err := exec.Command(w.program, append([]string{"core", "compact", "--rest", "1ns"}, w.where()...)...).CombinedOutput(); err == nil {
		w.t.Errorf("core compact without a store: %s", out)
	}
	w.checks(false, "WRONG  objects")
	id := w.ids[0]
	answer, text := other.fetch("/sessions/" + id + "/log")
	if answer.StatusCode != http.StatusServiceUnavailable {
		w.t.Errorf("a log that is in objects, without them: %d %.200s", answer.StatusCode, text)
	}
	w.work()
	w.rest()
	w.until("Core has everything", func() bool { return w.gauge("up") == 1 && w.gauge("behind_events") == 0 })
	if err := os.Rename(hidden, w.objects); err != nil {
		w.t.Fatal(err)
	}
	_, want := w.fetch("/sessions/" + id + "/log")
	other.until("the other node has all of "+id, func() bool {
		_, got := other.fetch("/sessions/" + id + "/log")
		return bytes.Equal(got, want)
	})
	w.daemon.Kill() // for good
	if _, got := other.fetch("/sessions/" + id + "/log"); !bytes.Equal(got, want) {
		w.t.Errorf("without its node there are %d bytes of %d", len(got), len(want))
	}
}

// TestPicturesElsewhere: a node shows pictures of prompts that another one was sent, also when that one is gone, and takes none for it.
//
// Proves: I16.5/pictures
func TestPicturesElsewhere(t *testing.T) {
	w := beginWith(t, t.TempDir())
	w.create()
	other := w.neighbour()
	picture := []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00")
	prompt := client.Prompt{Text: "look", Images: []resource.PromptImage{{MediaType: "image/png", Data: picture}}}
	if _, err := w.client.Session(w.ids[0]).Prompt(t.Context(), prompt); err != nil {
		t.Fatal(err)
	}
	path := fmt.Sprintf("/sessions/%s/images/%x", w.ids[0], sha256.Sum256(picture))
	var got []byte
	other.until("the other node shows the picture", func() bool {
		var answer *http.Response
		answer, got = other.fetch(path)
		return answer.StatusCode == http.StatusOK
	})
	w.rest()
	w.daemon.Kill() // for good
	verify := func() (text string, err error) {
		out, err := exec.Command(w.program, append([]string{"core", "verify", "--data", w.data}, w.where()...)...).CombinedOutput()
		return string(out), err
	}
	if text, err := verify(); err != nil || !strings.Contains(text, "1 pictures read") {
		t.Errorf("core verify: %v\n%s", err, text)
	}
	defer func() { // what is damaged is found
		var objects []string
		err := filepath.WalkDir(w.objects, func(path string, e fs.DirEntry, err error) error {
			if err == nil && e.Type().IsRegular() && strings.Contains(path, "image") {
				objects = append(objects, path)
			}
			return err
		})
		if err != nil || len(objects) != 1 {
			t.Fatal(objects, err)
		}
		if err := errors.Join(os.Chmod(objects[0], 0o600), os.WriteFile(objects[0], append([]byte("X"), picture[1:]...), 0o600)); err != nil {
			t.Fatal(err)
		}
		if text, err := verify(); err == nil || !strings.Contains(text, "differs: a picture of a prompt") {
			t.Errorf("core verify of a damaged picture: %v\n%s", err, text)
		}
	}()
	answer, again := other.fetch(path)
	if !bytes.Equal(got, picture) || !bytes.Equal(again, picture) || answer.Header.Get("Content-Type") != "image/png" {
		t.Errorf("it is %q, and then %q, %v", got, again, answer.Header)
	}
	if answer, _ := other.fetch(path[:len(path)-1] + "x"); answer.StatusCode != http.StatusNotFound {
		t.Errorf("what is no picture: %d", answer.StatusCode)
	}
	var problem *protocol.Problem
	if _, err := other.client.Session(w.ids[0]).Prompt(t.Context(), prompt); !errors.As(err, &problem) || problem.Code != protocol.CodeUnavailable {
		t.Errorf("a prompt for the other node: %v", err)
	}
}
