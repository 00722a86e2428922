package mirror

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/api/client/cache"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// meter counts the bytes that come over the connections of a client.
type meter struct{ bytes atomic.Int64 }

func (m *meter) transport() *http.Transport {
	return &http.Transport{DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := new(net.Dialer).DialContext(ctx, network, address)
		return metered{c, m}, err
	}}
}

type metered struct {
	net.Conn
	of *meter
}

func (c metered) Read(b []byte) (n int, err error) {
	n, err = c.Conn.Read(b)
	c.of.bytes.Add(int64(n))
	return n, err
}

// TestLossOfPower: a machine loses the end of a session's log that a mirror has read and stored. The mirror keeps what the log still has, in the file and on
// the wire, and what it shows then is what the daemon shows.
//
// Proves: I16.1/mirrors
func TestLossOfPower(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: starts processes")
	}
	w := begin(t)
	made, err := w.client.Create(t.Context(), client.New{NewSession: resource.NewSession{Agent: "scripted", Cwd: w.root}})
	if err != nil {
		t.Fatal(err)
	}
	id := made.ID
	w.ids = []string{id}
	w.prompt(id, script("["+strings.Repeat(`{"flood":{"lines":3000,"size":30}},`, 24)+`{"say":{"text":"Done."}}]`))
	w.rest(id)
	// The disk is what it was while a turn waits for an answer. What a session has told is synced soon, and at rest all of it: nothing of that could go.
	w.prompt(id, script(`[{"say":{"text":"May I?"}},{"tool":{"name":"edit","approve":true,"output":["done"]}},{"say":{"text":"Thanks."}}]`))
	if _, err := w.client.Await(t.Context(), resource.WaitRequest{Sessions: []string{id}, Until: resource.WaitUntil{Request: true}}); err != nil {
		t.Fatal(err)
	}
	asked, err := w.client.Session(id).State(t.Context(), protocol.Cursor{})
	if err != nil || len(asked.Requests) != 1 {
		t.Fatalf("%+v, %v", asked, err)
	}
	folder, old := filepath.Join(w.data, "sessions", id), filepath.Join(t.TempDir(), "old")
	copied := os.CopyFS(old, os.DirFS(folder))
	for n := 0; n < 100 && errors.Is(copied, fs.ErrNotExist); n++ { // a file has got its name in between
		copied = errors.Join(os.RemoveAll(old), os.CopyFS(old, os.DirFS(folder)))
	}
	if copied != nil {
		t.Fatal(copied)
	}
	if _, err := w.client.Session(id).Answer(t.Context(), asked.Requests[0].RequestID, resource.RequestAnswer{Outcome: protocol.OutcomeAllowed}); err != nil {
		t.Fatal(err)
	}
	w.rest(id)
	before := w.log(id)
	over := new(meter)
	w.mirror(over, id, nil)
	first := over.bytes.Load()
	t.Logf("%d lines, %d bytes; %d were sent", bytes.Count(before, []byte("\n")), len(before), first)

	w.daemon.Kill()
	written, err := os.ReadFile(filepath.Join(folder, "000001.ndjson"))
	if err != nil || !bytes.HasPrefix(written, before) {
		t.Fatalf("%d bytes are on the disk, and %d were shown: %v", len(written), len(before), err)
	}
	if err := errors.Join(os.RemoveAll(folder), os.Rename(old, folder), os.RemoveAll(filepath.Join(w.data, "tails"))); err != nil {
		t.Fatal(err)
	}
	// What is told of the session may be newer than what the loss has left of its log: that is no damage where the machine was started since.
	record := filepath.Join(folder, "session.json")
	told, err := os.ReadFile(record)
	if err != nil || !boot.Match(told) {
		t.Fatalf("%v: session.json names no start of the machine", err)
	}
	if err := os.WriteFile(record, boot.ReplaceAll(told, []byte(`"boot":"00000000-0000-4000-8000-000000000000"`)), 0o600); err != nil {
		t.Fatal(err)
	}
	w.start()
	w.prompt(id, "go on")
	w.rest(id)
	log := w.log(id)
	lines, kept := bytes.SplitAfter(before, []byte{'\n'}), 0
	for now := bytes.SplitAfter(log, []byte{'\n'}); kept < min(len(now), len(lines)) && bytes.Equal(now[kept], lines[kept]); {
		kept++
	}
	if !bytes.Contains(log, []byte(`"type":"epoch","epoch":2`)) || kept < 1000 || kept > len(lines)-3 {
		t.Fatalf("%d events are as they were, and the log ends with %.300s", kept, log[max(0, len(log)-300):])
	}

	resets := 0
	w.mirror(over, id, func(change client.Change) {
		if _, is := change.(client.SessionReset); is {
			resets++
		}
	})
	second := over.bytes.Load() - first
	t.Logf("%d were sent behind the loss", second)
	if second > first/2 {
		t.Errorf("the mirror was sent %d bytes, and %d behind the loss", first, second)
	}
	if resets != 1 {
		t.Errorf("%d resets", resets)
	}
}

var boot = regexp.MustCompile(`"boot":"[^"]*"`)

// script is a prompt that tells the scripted agent what to do.
func script(steps string) string { return "play\n```script\n" + steps + "\n```" }

func (w *world) rest(id string) {
	w.t.Helper()
	if _, err := w.client.Await(w.t.Context(), resource.WaitRequest{Sessions: []string{id}, Until: resource.WaitUntil{Rest: true}}); err != nil {
		w.t.Fatal(err)
	}
}

// mirror mirrors a session until all that the daemon has is stored and shown, and tells of the changes.
func (w *world) mirror(over *meter, id string, tell func(client.Change)) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), patience)
	defer cancel()
	folder, err := cache.Open(w.cache, cache.Options{})
	if err != nil {
		w.t.Fatal(err)
	}
	defer folder.Close()
	c, err := client.At("http://"+w.address, w.token, client.Through(over.transport()))
	if err != nil {
		w.t.Fatal(err)
	}
	defer c.Close()
	m := c.Mirror(client.MirrorOptions{Cache: client.Files(folder), States: true, SaveEvery: 500})
	log := w.log(id)
	enough := errors.New("enough")
	run, stop := context.WithCancelCause(ctx)
	ended := make(chan error, 1)
	go func() { ended <- m.Run(run) }() // ends with run
	epoch := uint64(1)
	if bytes.Contains(log, []byte(`"type":"epoch"`)) {
		epoch = 2
	}
	want := protocol.Cursor{Epoch: epoch, Seq: uint64(bytes.Count(log, []byte{'\n'}))}
	for change, err := range m.Changes(run) {
		if err != nil {
			w.t.Fatal(err)
		}
		if tell != nil {
			tell(change)
		}
		if at, kept := m.At(id); kept && at == want {
			break
		}
	}
	state, err := w.client.Session(id).State(ctx, protocol.Cursor{})
	if got := m.State(id); err != nil || !reflect.DeepEqual(got, state) {
		w.t.Errorf("the state is %+v, want %+v, %v", got, state, err)
	}
	stop(enough)
	if err := <-ended; !errors.Is(err, enough) {
		w.t.Fatal(err)
	}
	stored, err := os.ReadFile(filepath.Join(w.cache, "sessions", id+".ndjson"))
	if err != nil || !bytes.Equal(stored, log) {
		w.t.Errorf("%d bytes are stored of %d, %v", len(stored), len(log), err)
	}
}
