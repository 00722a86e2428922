package scenarios

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
)

// TestRestTellsWhatTheAwakeTell: of each log that the project has recorded, a client is told the same, byte for byte, whether
// its actor is there or not.
//
// Proves: I15.4/rest
func TestRestTellsWhatTheAwakeTell(t *testing.T) {
	t.Run("logs", func(t *testing.T) {
		root := t.TempDir()
		names, err := filepath.Glob("../protocol/testdata/logs/*.ndjson")
		if err != nil || len(names) == 0 {
			t.Fatalf("%q, %v", names, err)
		}
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(t, &file{}, false)
			w.root = root
			b := newBubble(w)
			for i, name := range names {
				id := fmt.Sprintf("00000000-0000-4000-9000-%012d", i)
				log, err := os.ReadFile(name)
				if err == nil {
					err = os.MkdirAll(filepath.Join(b.journals(), id), 0o700)
				}
				if err != nil {
					t.Fatal(err)
				}
				log = bytes.ReplaceAll(log, []byte("0198c5a2-7d1e-7c3f-9a51-6f2b8d4e1c0a"), []byte(id))
				log = bytes.ReplaceAll(log, []byte("/srv/shop"), []byte(root))
				if err := os.WriteFile(filepath.Join(b.journals(), id, "000001.ndjson"), log, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if err := b.start(); err != nil {
				t.Fatal(err)
			}
			for _, id := range b.folders() { // what was at work is brought to an end
				if _, err := b.super.Find(t.Context(), id); err != nil {
					t.Errorf("%s: %v", id, err)
				}
			}
			if err := b.drain(); err != nil {
				t.Fatal(err)
			}
			n := b.compareRest(t)
			if t.Logf("%d of %d were at rest", n, len(names)); n < len(names)/2 {
				t.Error("the comparison has lost its subject")
			}
		})
	})
}

// folders are the ids of the sessions.
func (b *bubble) folders() (ids []string) {
	all, err := os.ReadDir(b.journals())
	if err != nil {
		b.t.Error(err)
	}
	for _, e := range all {
		ids = append(ids, e.Name())
	}
	return ids
}

// compareRest starts the daemon, compares what is told of each session before and after its actor is there, and drains the daemon. It gives how many were at rest.
func (b *bubble) compareRest(t *testing.T) (rested int) {
	t.Helper()
	if err := b.start(); err != nil {
		t.Fatal(err)
	}
	for _, id := range b.folders() {
		synctest.Wait()
		rest, err := b.super.AtRest(t.Context(), id)
		if err != nil {
			t.Errorf("%s: %v", id, err)
		}
		if rest == nil {
			continue
		}
		rested++
		before := b.told(t, id)
		if again, err := b.super.AtRest(t.Context(), id); again == nil || err != nil {
			t.Errorf("%s: asking has opened it, %v", id, err)
		}
		if _, err := b.super.Find(t.Context(), id); err != nil {
			t.Errorf("%s: %v", id, err)
		}
		synctest.Wait()
		if still, err := b.super.AtRest(t.Context(), id); still != nil || err != nil {
			t.Errorf("%s: its actor is not there, %v", id, err)
		}
		for i, after := range b.told(t, id) {
			if before[i] != after {
				t.Errorf("%s is at rest\n%s\nand awake\n%s", id, before[i], after)
			}
		}
	}
	if err := b.drain(); err != nil {
		t.Fatal(err)
	}
	return rested
}

// told is what clients are told of a session.
func (b *bubble) told(t *testing.T, id string) (all []string) {
	t.Helper()
	for _, path := range []string{"", "/prompts", "/requests", "/budget"} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, b.url()+"/sessions/"+id+path, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+b.token())
		res, err := b.http.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(res.Body)
		if err != nil || res.StatusCode != http.StatusOK {
			t.Errorf("%s%s: %d %s, %v", id, path, res.StatusCode, body, err)
		}
		res.Body.Close()
		head := res.Header.Clone()
		head.Del("Date") // of the answer, not of the session; no other member may differ
		all = append(all, fmt.Sprintf("GET %s %v\n%s", path, head, body))
	}
	return all
}
