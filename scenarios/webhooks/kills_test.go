package webhooks

import (
	"bufio"
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/program"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/notice"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

const (
	sessions = 4
	round    = 5 // kills with the same sessions
	patience = time.Minute
)

// world is a daemon and a receiver that are killed and started again.
type world struct {
	t                *testing.T
	program          string
	address, receive string // of the daemon, and of the receiver
	data, root, file string
	daemon           *program.Daemon
	receiver         *exec.Cmd
	client           *client.Client
	hook             resource.CreatedWebhook
	ids              []string
	gone             map[string]bool // sessions that were deleted
	told             int
}

// TestKills: daemon and receiver are killed at any moment.
//
// Proves: I13.10/kills
func TestKills(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: starts processes")
	}
	kills := 6
	if n, err := strconv.Atoi(os.Getenv("RINGMASTER_WEBHOOK_KILLS")); err == nil {
		kills = n
	}
	w := begin(t)
	r := rand.New(rand.NewPCG(7, 8))
	daemons := 0
	for n := range kills {
		if n%round == 0 {
			w.create()
		}
		for _, id := range w.ids {
			w.prompt(id, "round "+strconv.Itoa(n))
		}
		after := time.NewTimer(time.Duration(r.IntN(150)) * time.Millisecond) // at any moment of what follows
		<-after.C
		if r.IntN(2) == 0 {
			daemons++
			w.daemon.Kill()
			w.start()
		} else {
			w.stopReceiver()
			w.startReceiver()
		}
		if n%round == round-1 || n == kills-1 {
			w.settle()
		}
	}
	if note := w.daemon.Stop(patience); note != "" {
		t.Error(note)
	}
	t.Logf("%d kills, %d of them of the daemon; %d notices told; lost 0, out of order 0", kills, daemons, w.told)
}

func begin(t *testing.T) *world {
	t.Helper()
	dir := t.TempDir()
	w := &world{
		t: t, program: filepath.Join(dir, "ringmaster"), data: filepath.Join(dir, "data"), root: t.TempDir(), file: filepath.Join(dir, "kept"),
		address: free(t), receive: free(t), gone: map[string]bool{},
	}
	if out, err := exec.Command("go", "build", "-o", w.program, "../../cmd/ringmaster").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	w.startReceiver()
	t.Cleanup(w.stopReceiver)
	w.start()
	t.Cleanup(func() { w.daemon.Kill() })
	token, err := program.Token(w.data)
	if err == nil {
		w.client, err = client.At("http://"+w.address, token)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.client.Close)
	all := resource.NewWebhook{URL: "http://" + w.receive + "/in"}
	for _, k := range notice.Kinds() {
		all.Kinds = append(all.Kinds, resource.WebhookKind(k))
	}
	if w.hook, err = w.client.Webhooks().Create(t.Context(), all); err != nil {
		t.Fatal(err)
	}
	return w
}

// free is an address that stays the same after each start, and that no connection is given: its port is below theirs.
func free(t *testing.T) string {
	t.Helper()
	for {
		l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(31_000+rand.IntN(1000))))
		if err == nil {
			defer l.Close()
			return l.Addr().String()
		}
	}
}

func (w *world) start() {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), patience)
	defer cancel()
	var err error
	if w.daemon, err = program.Start(program.Command(w.program, w.data, w.root, "--listen", w.address, "--webhook-allow", "http://"+w.receive+"/")); err == nil {
		_, err = w.daemon.Running(ctx)
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) startReceiver() {
	w.t.Helper()
	w.receiver = exec.Command(os.Args[0])
	w.receiver.Env = append(os.Environ(), listenEnv+"="+w.receive, keptEnv+"="+w.file)
	w.receiver.Stderr = os.Stderr
	if err := w.receiver.Start(); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) stopReceiver() {
	_ = w.receiver.Process.Kill()
	_ = w.receiver.Wait() // it was killed
}

// create ends and deletes the sessions that there are, and makes new ones. One is deleted while it works.
func (w *world) create() {
	w.t.Helper()
	for i, id := range w.ids {
		if i > 0 {
			if _, err := w.client.Session(id).End(w.t.Context(), ""); err != nil {
				w.t.Fatal(err)
			}
		}
		if i < 2 {
			w.gone[id] = true
			if err := w.client.Session(id).Remove(w.t.Context()); err != nil {
				w.t.Fatal(err)
			}
		}
	}
	w.ids = nil
	for range sessions {
		made, err := w.client.Create(w.t.Context(), client.New{NewSession: resource.NewSession{Agent: "scripted", Cwd: w.root}})
		if err != nil {
			w.t.Fatal(err)
		}
		w.ids = append(w.ids, made.ID)
	}
}

func (w *world) prompt(id, text string) {
	w.t.Helper()
	_, err := w.client.Session(id).Prompt(w.t.Context(), client.Prompt{Text: text})
	var full *protocol.Problem
	if err != nil && (!errors.As(err, &full) || full.Code != protocol.CodeOverloaded) {
		w.t.Fatal(err)
	}
}

// wanted are the notices of a session that its log asks for, in order.
func (w *world) wanted(id string) (ids []string) {
	w.t.Helper()
	for l, err := range w.client.Session(id).Log(w.t.Context(), protocol.Cursor{}) {
		if err != nil {
			w.t.Fatal(err)
		}
		if kind, _, ok := notice.Of(&l.Event); ok {
			ids = append(ids, notice.ID(id, protocol.Cursor{Epoch: 1, Seq: l.Event.Seq}, kind))
		}
	}
	return ids
}

// got are the notices that the receiver has kept, each as it came first, by session. All of them must be signed.
func (w *world) got() map[string][]string {
	w.t.Helper()
	text, err := os.ReadFile(w.file)
	if err != nil {
		w.t.Fatal(err)
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(w.hook.Secret, "whsec_"))
	if err != nil {
		w.t.Fatal(err)
	}
	got, seen := map[string][]string{}, map[string]string{}
	lines := bufio.NewScanner(bytes.NewReader(text))
	for lines.Scan() {
		var k kept
		var n struct{ Data struct{ SessionID string } }
		if json.Unmarshal(lines.Bytes(), &k) != nil || json.Unmarshal([]byte(k.Body), &n) != nil {
			continue // cut by a kill, before it was answered
		}
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte(k.ID + "." + k.Timestamp + "." + k.Body))
		if k.Signature != "v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)) {
			w.t.Errorf("%s is not signed", k.ID)
		}
		if body, is := seen[k.ID]; is && body != k.Body {
			w.t.Errorf("%s has come with %s and with %s", k.ID, body, k.Body)
		} else if !is {
			got[n.Data.SessionID] = append(got[n.Data.SessionID], k.ID)
		}
		seen[k.ID] = k.Body
	}
	w.told = len(seen)
	return got
}

// settle returns when everything was told, and checks what was told and in which order.
func (w *world) settle() {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), patience)
	defer cancel()
	of := resource.WaitRequest{Sessions: w.ids, Until: resource.WaitUntil{Rest: true}}
	if _, err := w.client.Await(ctx, of); err != nil {
		w.t.Fatal(err)
	}
	var missing []string
	for ctx.Err() == nil {
		missing = nil
		got := w.got()
		for _, id := range w.ids {
			if want := w.wanted(id); !equal(got[id], want) {
				missing = append(missing, id)
			}
		}
		for id := range w.gone {
			if ids := got[id]; len(ids) == 0 || !strings.HasSuffix(ids[len(ids)-1], "_session_ended") && !strings.HasSuffix(ids[len(ids)-1], "_deleted") {
				missing = append(missing, id)
			}
		}
		if len(missing) == 0 {
			return
		}
		list, err := w.client.Webhooks().Deliveries(ctx, w.hook.ID, "pending") // kills have made their waits long
		if err != nil {
			w.t.Fatal(err)
		}
		for _, d := range list {
			_ = w.client.Webhooks().Send(ctx, w.hook.ID, d.ID) // it may have been delivered meanwhile
		}
	}
	got := w.got()
	for _, id := range missing {
		w.t.Errorf("session %s, deleted: %v\ngot  %q\n", id, w.gone[id], got[id])
		if !w.gone[id] {
			w.t.Errorf("want %q", w.wanted(id))
		}
	}
	w.t.FailNow()
}

func equal(a, b []string) bool {
	return strings.Join(a, "\n") == strings.Join(b, "\n")
}
