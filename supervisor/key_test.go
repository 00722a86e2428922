package supervisor_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"

	"github.com/ringmaster-agents/ringmaster/actors/disk"

	"github.com/ringmaster-agents/ringmaster/actors/disk/disktest"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

func wanted(by, key string) supervisor.NewSession {
	return supervisor.NewSession{Agent: "scripted", Key: supervisor.Key{By: by, Name: key}}
}

// keyedBy makes a session, or gives the one that the key stands for.
func (d *daemon) keyedBy(n supervisor.NewSession) supervisor.Created {
	d.t.Helper()
	s, err := d.Create(d.t.Context(), n)
	if err != nil {
		d.t.Fatal(err)
	}
	return s
}

// TestKeys: one key makes one session of a principal, also after a restart, until the session is deleted; for something else it is a
// conflict.
//
// Proves: I10.2/keys
func TestKeys(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := start(t, t.TempDir(), nil)
		first := d.keyedBy(wanted("ann", "k"))
		if first.Repeated {
			t.Error("a new session is repeated")
		}
		again := func(when string) {
			t.Helper()
			if s := d.keyedBy(wanted("ann", "k")); s.ID != first.ID || !s.Repeated || s.Found {
				t.Errorf("%s: %+v, want %s", when, s, first.ID)
			}
			for _, change := range []func(*supervisor.NewSession){
				func(n *supervisor.NewSession) { n.Title = "other" },
				func(n *supervisor.NewSession) { n.Labels = map[string]string{"a": "b"} },
				func(n *supervisor.NewSession) {
					n.Policy = &protocol.Policy{Rules: []protocol.PolicyRule{{Tool: "read"}}}
				},
				func(n *supervisor.NewSession) { n.Endpoint = &supervisor.Endpoint{URL: "http://127.0.0.1:1"} },
				func(n *supervisor.NewSession) { n.MCP = true },
				func(n *supervisor.NewSession) { n.Key.Body = supervisor.BodyOf("another prompt") },
			} {
				n := wanted("ann", "k")
				change(&n)
				var p *protocol.Problem
				if _, err := d.Create(t.Context(), n); !errors.As(err, &p) || p.Code != protocol.CodeConflict || p.Hint == "" {
					t.Errorf("%s: another body: %v", when, err)
				}
			}
		}
		again("at once")
		if s := d.keyedBy(wanted("bob", "k")); s.ID == first.ID || s.Repeated {
			t.Errorf("bob's is %+v", s)
		}
		if s := d.keyedBy(wanted("ann", "k2")); s.ID == first.ID || s.Repeated {
			t.Errorf("that of another key is %+v", s)
		}
		if a, b := d.create(), d.create(); a.ID == b.ID {
			t.Error("no key is a key")
		}
		d.close()
		d.start()
		again("after a restart")
		if _, err := session.Ask(t.Context(), d.find(first.ID), &session.End{}); err != nil {
			t.Fatal(err)
		}
		again("of a session that has ended")
		if err := d.Delete(t.Context(), first.ID); err != nil {
			t.Fatal(err)
		}
		second := d.keyedBy(wanted("ann", "k"))
		if second.ID == first.ID || second.Repeated {
			t.Errorf("after its deletion: %+v", second)
		}
		d.close()
		d.start()
		defer d.close()
		if s := d.keyedBy(wanted("ann", "k")); s.ID != second.ID {
			t.Errorf("after another restart %s, want %s", s.ID, second.ID)
		}
	})
}

// TestKeysAtOnce: of calls that come at once with one key, one makes the session and all get it; what one is refused, none made.
//
// Proves: I10.2/keys
func TestKeysAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := start(t, t.TempDir(), nil)
		defer d.close()
		outside := wanted("ann", "outside")
		outside.Cwd = "/"
		var wg sync.WaitGroup
		var mu sync.Mutex
		made, fresh := map[string]bool{}, 0
		for range 20 {
			wg.Go(func() {
				s, err := d.Create(t.Context(), wanted("ann", "k"))
				_, refused := d.Create(t.Context(), outside)
				mu.Lock()
				defer mu.Unlock()
				if made[s.ID] = true; !s.Repeated {
					fresh++
				}
				if err != nil || code(refused) != protocol.CodeCwdNotAllowed {
					t.Errorf("%v, %v", err, refused)
				}
			})
		}
		wg.Wait()
		if len(made) != 1 || fresh != 1 || d.Health().Sessions != 1 {
			t.Errorf("%d sessions, %d of them told to be new, %d there", len(made), fresh, d.Health().Sessions)
		}
		outside.Cwd = d.root
		if s := d.keyedBy(outside); s.Repeated {
			t.Error("a call that was refused has used its key")
		}
	})
}

// TestClaim binds a key to a session that was found, once.
//
// Proves: I10.2/keys
func TestClaim(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := start(t, t.TempDir(), nil)
		claim := func(n supervisor.NewSession, id string) (supervisor.Created, protocol.Code) {
			s, err := d.Claim(t.Context(), n, id)
			return s, code(err)
		}
		a, b := d.create(), d.create()
		if s, c := claim(wanted("ann", "k"), a.ID); s.ID != a.ID || !s.Found || s.Repeated || c != "" {
			t.Errorf("claimed: %+v, %s", s, c)
		}
		for range 2 {
			for _, id := range []string{a.ID, b.ID} {
				if s, c := claim(wanted("ann", "k"), id); s.ID != a.ID || !s.Found || !s.Repeated || c != "" {
					t.Errorf("again: %+v, %s", s, c)
				}
			}
			if s := d.keyedBy(wanted("ann", "k")); s.ID != a.ID || !s.Found || !s.Repeated {
				t.Errorf("created: %+v", s)
			}
			d.close()
			d.start()
		}
		other := wanted("ann", "k")
		other.Model = "m"
		if _, c := claim(other, b.ID); c != protocol.CodeConflict {
			t.Errorf("for something else: %s", c)
		}
		if _, c := claim(wanted("ann", "k3"), "00000000-0000-4000-8000-00000000abcd"); c != protocol.CodeSessionNotFound {
			t.Errorf("a session that is not there: %s", c)
		}
		for _, bad := range []string{strings.Repeat("x", 129), "\xff"} {
			if _, c := claim(wanted("ann", bad), a.ID); c != protocol.CodeInvalidRequest {
				t.Errorf("%q: %s", bad, c)
			}
			if _, err := d.Create(t.Context(), wanted("ann", bad)); code(err) != protocol.CodeInvalidRequest {
				t.Errorf("%q: %v", bad, err)
			}
		}
		d.close()
	})
}

// TestKeysAreBounded: a principal keeps its newest thousand, and all together have ten thousand; so has the file.
func TestKeysAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := start(t, t.TempDir(), func(c *supervisor.Config) { c.Files = swift{disk.OS()} })
		s := d.create()
		claim := func(by string, n int) {
			t.Helper()
			if _, err := d.Claim(t.Context(), wanted(by, fmt.Sprint(n)), s.ID); err != nil {
				t.Fatal(err)
			}
		}
		known := func(by string, n int) bool { // asked for something else, so that it is not bound by being asked for
			t.Helper()
			other := wanted(by, fmt.Sprint(n))
			other.Cwd = "/"
			_, err := d.Create(t.Context(), other)
			if c := code(err); c != protocol.CodeConflict && c != protocol.CodeCwdNotAllowed {
				t.Fatal(err)
			}
			return code(err) == protocol.CodeConflict
		}
		claim("bob", 0)
		for n := range 3500 {
			claim("ann", n)
		}
		look := func() {
			t.Helper()
			if !known("bob", 0) || known("ann", 0) || known("ann", 2499) || !known("ann", 2500) || !known("ann", 3499) {
				t.Errorf("bob %v, ann's %v %v %v %v", known("bob", 0), known("ann", 0), known("ann", 2499), known("ann", 2500), known("ann", 3499))
			}
		}
		look()
		d.close()
		file := filepath.Join(d.cfg.Data, "idempotency")
		text, err := os.ReadFile(file)
		if lines := strings.Count(string(text), "\n"); err != nil || lines > 3100 {
			t.Errorf("%d lines, %v", lines, err)
		}
		if err := os.WriteFile(file, append(text, `{"by":"ann","key":"3499","sum`...), 0o600); err != nil { // torn
			t.Fatal(err)
		}
		d.start()
		look()
		for n := range 9500 {
			claim(fmt.Sprint("p", n), n)
		}
		if known("bob", 0) || known("ann", 2500) || !known("ann", 3499) || !known("p9499", 9499) {
			t.Error("what goes is not the oldest")
		}
		d.close()
	})
}

// TestKeyThatCannotBeWritten makes no session, and can be used again; so can one whose session cannot be written, which nobody is given.
// What was torn then takes no other key with it.
func TestKeyThatCannotBeWritten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var disk *recorded
		var fails atomic.Value // a part of the names of the files that take nothing
		fails.Store("")
		d := start(t, t.TempDir(), func(c *supervisor.Config) {
			disk = record(c.Data)
			disk.mem.Fail(func(_ int, op disktest.Op) *disktest.Fault {
				if part := fails.Load().(string); part != "" && op.Kind == "write" && strings.Contains(op.Name, part) {
					return &disktest.Fault{Err: syscall.ENOSPC, Short: 5}
				}
				return nil
			})
			c.Files = disk
		})
		d.keyedBy(wanted("ann", "before"))
		for _, full := range []string{".ndjson", "idempotency"} {
			fails.Store(full)
			key := "with a full disk for " + full
			var wg sync.WaitGroup
			for range 5 {
				wg.Go(func() {
					if s, err := d.Create(t.Context(), wanted("ann", key)); code(err) != protocol.CodeReadOnly {
						t.Errorf("%s: %s, %v", full, s.ID, err)
					}
				})
			}
			wg.Wait()
			synctest.Wait()
			if h := d.Health(); h.Sessions != 1 {
				t.Errorf("%s: %d sessions", full, h.Sessions)
			}
		}
		fails.Store("")
		first := d.keyedBy(wanted("ann", "k"))
		second := d.keyedBy(wanted("ann", "with a full disk for .ndjson"))
		if first.Repeated || second.Repeated {
			t.Errorf("%+v, %+v", first, second)
		}
		d.close()
		d.start()
		defer d.close()
		for _, key := range []string{"before", "k", "with a full disk for .ndjson"} {
			if s := d.keyedBy(wanted("ann", key)); !s.Repeated {
				t.Errorf("after a restart %q makes another session", key)
			}
		}
	})
}
