package webhook

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/zap"

	"github.com/ringmaster-agents/ringmaster/actors/disk"
	"github.com/ringmaster-agents/ringmaster/actors/disk/disktest"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/control"
	"github.com/ringmaster-agents/ringmaster/api/webhook/core"
	"github.com/ringmaster-agents/ringmaster/api/webhook/post"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/notice"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
	"github.com/ringmaster-agents/ringmaster/supervisor/roster"
)

// sender keeps what is sent, and answers.
type sender struct {
	mu     sync.Mutex
	sent   []string // ids
	times  []time.Time
	answer func(id string) post.Outcome // nil: all is taken
}

func (s *sender) Send(_ context.Context, m *post.Message) post.Outcome {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sent, s.times = append(s.sent, m.ID), append(s.times, time.Now())
	if s.answer != nil {
		return s.answer(m.ID)
	}
	return post.Outcome{Status: 204}
}

// all are the ids that were sent.
func (s *sender) all() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.sent)
}

// lists is a tree of which there is the list alone.
type lists struct {
	access.Tree
	list *roster.Roster
}

func (l lists) Roster() *roster.Roster { return l.list }

// nowhere finds no session, so that no log can be read.
type nowhere struct{}

func (nowhere) AtRest(context.Context, string) (*session.Description, error) { return nil, nil }

func (nowhere) Find(context.Context, string) (session.Ref, error) {
	return session.Ref{}, &protocol.Problem{Code: protocol.CodeReadOnly}
}

func (n nowhere) FindAgain(ctx context.Context, id string) (session.Ref, error) {
	return n.Find(ctx, id)
}

// kept are webhooks on a disk, with a list of sessions of which no log can be read: the test says what is found in them.
func kept(t *testing.T, d disk.FS, to Sender, shelved ...func() ([]string, error)) (*Hooks, *roster.Roster) {
	t.Helper()
	allow := new(post.Allow)
	if err := allow.Set([]string{"https://r.example.org/"}); err != nil {
		t.Fatal(err)
	}
	c := Config{Allow: allow, Log: zap.NewNop(), Now: time.Now, Chance: func() float64 { return 0 }, Sender: to}
	if len(shelved) > 0 {
		c.Shelved = shelved[0]
	}
	h, err := Open(".", d, c)
	if err != nil {
		t.Fatal(err)
	}
	list := roster.New()
	h.Attach(World{Gate: access.NewGate(lists{list: list}, 1), Door: control.New(nowhere{}, nil), Tokens: access.NewTokens()})
	return h, list
}

var admin = access.With(context.Background(), access.Root)

func made(t *testing.T, h *Hooks) core.View {
	t.Helper()
	v, err := desk{h}.create(admin, &resource.NewWebhook{URL: "https://r.example.org/in", Kinds: []resource.WebhookKind{"turn_ended", "session_ended"}})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

const one = "0198c5a2-7d1e-7c3f-9a51-6f2b8d4e1c0a"

func put(list *roster.Roster, seq uint64) {
	list.Put(&session.Summary{ID: one, Agent: "pi", Epoch: 1, Seq: seq, Status: protocol.Status{State: protocol.StateIdle}}, nil, false)
}

// found says what is found in the log between two events: the end of a turn at each.
func found(h *Hooks, from, to uint64) {
	in := &core.Scanned{Session: one, From: core.Position{Epoch: 1, Seq: from}, At: core.Position{Epoch: 1, Seq: to}, End: &protocol.Cursor{Epoch: 1, Seq: to}}
	for seq := from + 1; seq <= to; seq++ {
		in.Found = append(in.Found, core.Found{At: core.Position{Epoch: 1, Seq: seq}, Cursor: fmt.Sprint(seq), Kind: notice.TurnEnded, What: notice.Turn{TurnID: "t"}})
	}
	h.step(in)
}

// TestTries: a delivery is tried at its times, over three days and lives of the daemon, and is dead then; sent again it is tried anew.
//
// Proves: I13.10/tries
func TestTries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, to := disktest.New(), &sender{answer: func(string) post.Outcome { return post.Outcome{Status: 500, Error: "status"} }}
		h, list := kept(t, d, to)
		h.Begin()
		v := made(t, h)
		put(list, 3)
		time.Sleep(time.Second)
		list.Remove(one)
		time.Sleep(3 * time.Hour)
		h.Close()
		h, _ = kept(t, d, to) // the next daemon's
		h.Begin()
		time.Sleep(70 * time.Hour)
		var waits []string
		to.mu.Lock()
		for i := range to.times {
			waits = append(waits, to.times[i].Sub(to.times[0]).Round(time.Minute).String())
		}
		to.mu.Unlock()
		if got, want := strings.Join(waits, " "), "0s 0s 5m0s 35m0s 2h35m0s 7h35m0s 17h35m0s 31h35m0s 51h35m0s 72h0m0s"; got != want {
			t.Errorf("tried after %s, want %s", got, want)
		}
		view, err := desk{h}.of(admin, v.ID)
		dead := desk{h}.deliveries(v.ID, "dead")
		if err != nil || view.Dead != 1 || len(dead) != 1 || dead[0].ID != notice.DeletedID(one) || dead[0].Tries != 10 {
			t.Errorf("%+v %+v %v", view, dead, err)
		}
		to.mu.Lock()
		to.answer = nil
		to.mu.Unlock()
		if n, err := (desk{h}).send(admin, v.ID, ""); n != 1 || err != nil {
			t.Errorf("%d %v", n, err)
		}
		synctest.Wait()
		if view, _ := (desk{h}).of(admin, v.ID); len(to.all()) != 11 || view.Dead != 0 || view.Pending != 0 {
			t.Errorf("%d tries, %+v", len(to.all()), view)
		}
		h.Close()
	})
}

// TestSlowReceiver: one webhook whose receiver does not answer holds up no other one.
//
// Proves: I13.10/slow
func TestSlowReceiver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hang := make(chan struct{})
		to := &slow{hang: hang}
		h, list := kept(t, disktest.New(), to)
		h.Begin()
		stuck, quick := made(t, h), made(t, h)
		to.mu.Lock()
		to.stuck = stuck.Secret
		to.mu.Unlock()
		for n := range 20 {
			id := fmt.Sprintf("0198c5a2-7d1e-7c3f-9a51-6f2b8d4e1c%02x", n)
			list.Put(&session.Summary{ID: id, Agent: "pi", Epoch: 1, Seq: 3}, nil, false)
			time.Sleep(100 * time.Millisecond)
			list.Remove(id)
		}
		time.Sleep(time.Minute)
		a, _ := desk{h}.of(admin, stuck.ID)
		b, _ := desk{h}.of(admin, quick.ID)
		to.mu.Lock()
		under := to.under
		to.mu.Unlock()
		if a.Pending != 20 || a.Sent != 0 || b.Pending != 0 || b.Sent != 20 || under != 4 {
			t.Errorf("stuck %+v, quick %+v, %d under way", a, b, under)
		}
		close(hang)
		h.Close()
	})
}

// slow does not answer what one webhook sends.
type slow struct {
	hang  chan struct{}
	stuck string
	mu    sync.Mutex
	under int
}

func (s *slow) Send(_ context.Context, m *post.Message) post.Outcome {
	s.mu.Lock()
	stuck := m.Secrets[0] == s.stuck
	if stuck {
		s.under++
	}
	s.mu.Unlock()
	if stuck {
		<-s.hang
	}
	return post.Outcome{Status: 200}
}

// TestCrashes lets power fail behind every change of the disk, and the daemon be killed: a webhook that was answered is there with its secret, and what
// the next daemon goes on with leaves out no notice that was not delivered.
//
// Proves: I13.10/crashes
func TestCrashes(t *testing.T) {
	d, to := disktest.New(), &sender{}
	type moment struct{ changes, delivered int }
	var moments []moment // so many were delivered when there had been so many changes
	h, list := kept(t, d, to)
	h.Begin()
	v := made(t, h)
	answered := len(d.Ops(0))
	put(list, 30)
	for until(func() bool { return met(h) }) {
	}
	for seq := range uint64(30) {
		found(h, seq, seq+1)
		for until(func() bool { w, _ := desk{h}.of(admin, v.ID); return w.Sent == seq+1 }) {
		}
		moments = append(moments, moment{len(d.Ops(0)), int(seq + 1)})
	}
	h.Close()
	states, replay := 0, d.Replay()
	for n := 0; ; n++ {
		for choice := range 4 {
			left := replay.Kill()
			if choice > 0 {
				left = replay.Crash(rand.New(rand.NewPCG(uint64(n), uint64(choice))))
			}
			states++
			again, _ := kept(t, left, to)
			view, there := again.core.View(v.ID)
			if n >= answered && (!there || view.Secret != v.Secret) {
				t.Fatalf("after %d changes the webhook is %+v", n, view)
			}
			delivered := 0 // at most, by then
			for _, m := range moments {
				if m.changes > n {
					break
				}
				delivered = m.delivered
			}
			for _, l := range again.core.Lines() {
				if at := (core.Position{}); l.Is == core.LineAt {
					if _, err := fmt.Sscanf(l.At, "%d.%d", &at.Epoch, &at.Seq); err != nil || int(at.Seq) > delivered+1 {
						t.Fatalf("after %d changes %d notices were delivered, and the next daemon goes on behind %s", n, delivered, l.At)
					}
				}
			}
			again.Close()
		}
		if _, more := replay.Next(); !more {
			break
		}
	}
	t.Logf("%d states of the disk", states)
}

// met says that a session was seen.
func met(h *Hooks) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.ContainsFunc(h.core.Lines(), func(l core.Line) bool { return l.Is == core.LineAt })
}

// until is true as long as something does not hold.
func until(holds func() bool) bool {
	if holds() {
		return false
	}
	time.Sleep(time.Millisecond)
	return true
}

// TestFullDisk: deliveries go on where the disk takes nothing, nothing is made or changed, and what came of them is written when there is room.
//
// Proves: I13.10/full
func TestFullDisk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, to := disktest.New(), &sender{}
		h, list := kept(t, d, to)
		h.Begin()
		v := made(t, h)
		put(list, 2)
		time.Sleep(time.Second)
		d.Fail(func(int, disktest.Op) *disktest.Fault { return &disktest.Fault{Err: syscall.ENOSPC, Short: 3} })
		found(h, 0, 2)
		time.Sleep(time.Second)
		if got := to.all(); len(got) != 2 {
			t.Errorf("told %v", got)
		}
		var p *protocol.Problem
		_, err := desk{h}.create(admin, &resource.NewWebhook{URL: "https://r.example.org/in", Kinds: []resource.WebhookKind{"budget"}})
		if !as(err, &p) || p.Code != protocol.CodeReadOnly || p.Hint == "" || len(h.core.Views()) != 1 {
			t.Errorf("made on a full disk: %v", err)
		}
		_, err = desk{h}.patch(admin, v.ID, &resource.WebhookChange{Enabled: new(false)})
		if w, _ := (desk{h}).of(admin, v.ID); !as(err, &p) || p.Code != protocol.CodeReadOnly || w.Off {
			t.Errorf("changed on a full disk: %v", err)
		}
		d.Fail(nil)
		time.Sleep(2 * pause)
		synctest.Wait()
		left := d.Kill(len(d.Ops(0)))
		h.Close()
		h, _ = kept(t, left, to)
		if lines := h.core.Lines(); len(lines) != 2 || lines[1].At != "1.2" {
			t.Errorf("written: %+v", lines)
		}
		h.Close()
	})
}

func as(err error, p **protocol.Problem) bool {
	var is bool
	*p, is = err.(*protocol.Problem)
	return is
}

// TestDamagedLine: of a line that is damaged the state before counts, and a webhook of which it is not known where it began is none.
//
// Proves: I13.10/damaged
func TestDamagedLine(t *testing.T) {
	d, to := disktest.New(), &sender{}
	h, _ := kept(t, d, to)
	h.Begin()
	v, w := made(t, h), made(t, h)
	if _, err := (desk{h}).patch(admin, v.ID, &resource.WebhookChange{Enabled: new(false)}); err != nil {
		t.Fatal(err)
	}
	h.Close()
	text := string(d.Bytes("webhooks"))
	lines := strings.SplitAfter(text, "\n")
	for i := range lines {
		if lines[i] == "" {
			continue
		}
		for _, spoil := range []string{strings.Replace(lines[i], "http", "hxxp", 1), lines[i][:len(lines[i])/2] + "\n", "\n"} {
			bad := slices.Clone(lines)
			bad[i] = spoil
			again := disktest.New()
			again.Put("webhooks", []byte(strings.Join(bad, "")))
			h, _ := kept(t, again, to)
			began := strings.Contains(lines[i], `"fresh":true`)
			for _, x := range h.core.Views() {
				if began && strings.Contains(lines[i], x.ID) {
					t.Errorf("line %d as %q: nobody knows where %s began, and it goes on", i, spoil, x.ID)
				}
				if x.ID != v.ID && x.ID != w.ID || x.URL != "https://r.example.org/in" || x.Secret == "" {
					t.Errorf("line %d as %q: %+v", i, spoil, x)
				}
			}
			h.Close()
		}
	}
}

// TestShelf: what is set aside is looked for where the list lacks a session that an earlier daemon knew, and nowhere else. Where that cannot be looked at nothing
// is told of the session, until it can.
func TestShelf(t *testing.T) {
	for _, left := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			d, to := disktest.New(), &sender{}
			looks, ids, err := 0, []string(nil), error(syscall.EIO)
			shelf := func() ([]string, error) { looks++; return ids, err }
			h, list := kept(t, d, to, shelf)
			h.Begin()
			made(t, h)
			put(list, 3)
			time.Sleep(time.Second)
			h.Close()
			if looks > 0 {
				t.Errorf("there was no doubt, and %d looks", looks)
			}
			if left {
				ids = []string{one}
			}
			h, _ = kept(t, d, to, shelf)
			h.Begin()
			time.Sleep(time.Hour)
			synctest.Wait()
			if got := to.all(); len(got) > 0 || looks != 1 {
				t.Errorf("after %d looks, of which none could be made, told %v", looks, got)
			}
			err = nil
			made(t, h) // all are seen once more
			time.Sleep(time.Second)
			synctest.Wait()
			if got := to.all(); (len(got) == 0) != left || looks != 2 {
				t.Errorf("left %v: after %d looks told %v", left, looks, got)
			}
			made(t, h)
			time.Sleep(time.Second)
			h.Close()
			if looks != 2 {
				t.Errorf("there is no doubt any more, and %d looks", looks)
			}
		})
	}
}

// TestMadeMeanwhile: a webhook that is made while the list of sessions is gone through may begin behind sessions that came later. They were not deleted.
func TestMadeMeanwhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, to := disktest.New(), &sender{}
		h, list := kept(t, d, to)
		h.Begin()
		made(t, h)
		put(list, 3)
		time.Sleep(time.Second)
		h.Close()
		meanwhile := func() {}
		h, list = kept(t, d, to, func() ([]string, error) { meanwhile(); return nil, nil })
		meanwhile = func() {
			meanwhile = func() {}
			list.Put(&session.Summary{ID: "0198c5a2-7d1e-7c3f-9a51-6f2b8d4e1c0b", Agent: "pi", Epoch: 1, Seq: 3}, nil, false)
			made(t, h)
		}
		h.Begin()
		time.Sleep(time.Minute)
		synctest.Wait()
		if got := to.all(); !slices.Equal(got, []string{notice.DeletedID(one)}) {
			t.Errorf("told %v", got)
		}
		h.Close()
	})
}

// TestLineOfALaterBuild: what a later build says beyond what this one knows changes nothing.
func TestLineOfALaterBuild(t *testing.T) {
	for _, text := range []string{
		`{"is":"at","hook":"h","session":"s","at":"1.9","away":true}`, `{"is":"at","hook":"h","session":"s","at":"1.9","away":true,"later":{"x":[1]}}`,
	} {
		l, ok := parse([]byte(sumOf([]byte(text)) + " " + text))
		if want := (core.Line{Is: core.LineAt, Hook: "h", Session: "s", At: "1.9", Away: true}); !ok || !reflect.DeepEqual(*l, want) {
			t.Errorf("%s: %+v", text, l)
		}
	}
}
