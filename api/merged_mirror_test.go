package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/api/client/cache"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// cut is a network that ends every stream after so many bytes, and lets through the rest.
type cut struct {
	through http.RoundTripper
	after   int
	streams int
}

func (c *cut) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := c.through.RoundTrip(r)
	if err == nil && r.URL.Path == "/stream" {
		c.streams++
		if c.streams < 8 {
			resp.Body = &cutBody{resp.Body, c.after * c.streams}
		}
	}
	return resp, err
}

type cutBody struct {
	of interface {
		Read([]byte) (int, error)
		Close() error
	}
	left int
}

func (b *cutBody) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errors.New("cut")
	}
	n, err := b.of.Read(p[:min(len(p), b.left)])
	b.left -= n
	return n, err
}

func (b *cutBody) Close() error { return b.of.Close() }

// mirrored runs a mirror until want says that it has everything, and ends it.
func mirrored(t *testing.T, m *client.Mirror, want func() bool) {
	t.Helper()
	ctx, cancel := context.WithCancelCause(t.Context())
	enough := errors.New("enough")
	ended := make(chan error, 1)
	go func() { ended <- m.Run(ctx) }()
	<-m.Synced()
	for _, err := range m.Changes(ctx) {
		if err != nil {
			t.Error(err)
		}
		if want() {
			break
		}
	}
	cancel(enough)
	if err := <-ended; !errors.Is(err, enough) {
		t.Errorf("Run returned %v", err)
	}
}

// TestMirrorKeepsEveryLog: a mirror over connections that are cut has every session as the daemon has it, its states and the bytes of its cache; and so has the next one,
// which goes on with that cache.
//
// Proves: I13.5/mirror
func TestMirrorKeepsEveryLog(t *testing.T) {
	h := newHarness(t)
	ids := []string{h.create("echo"), h.create("echo"), h.create("echo")}
	dir := t.TempDir()
	wire := &cut{through: http.DefaultTransport, after: 1500}
	for round, text := range []string{"one", "two"} {
		for _, id := range ids {
			h.turn(id, text)
		}
		if round == 1 {
			h.want(http.StatusOK, "POST", "/sessions/"+ids[0]+"/end", "")
		}
		folder, err := cache.Open(dir, cache.Options{})
		if err != nil {
			t.Fatal(err)
		}
		c, err := client.At(h.base, testToken, client.Through(wire))
		if err != nil {
			t.Fatal(err)
		}
		m := c.Mirror(client.MirrorOptions{Cache: client.Files(folder), States: true})
		newest := map[string]uint64{}
		for _, id := range ids {
			newest[id] = seqOf(h, id)
		}
		mirrored(t, m, func() bool {
			for _, id := range ids {
				if at, kept := m.At(id); !kept || at.Seq < newest[id] {
					return false
				}
			}
			return true
		})
		c.Close()
		if err := folder.Close(); err != nil {
			t.Fatal(err)
		}
		if got := m.Roster(); len(got) != len(ids) {
			t.Errorf("the list has %d sessions", len(got))
		}
		for _, id := range ids {
			stored, err := os.ReadFile(filepath.Join(dir, "sessions", id+".ndjson"))
			if log := h.log(id, ""); err != nil || !bytes.Equal(stored, log) {
				t.Errorf("round %d: stored are %d bytes of %d, %v", round, len(stored), len(log), err)
			}
			if got, want := m.State(id), stateOf(t, h, id); !reflect.DeepEqual(got, want) {
				t.Errorf("round %d: the state is %+v, want %+v", round, got, want)
			}
		}
	}
	if wire.streams < 3 {
		t.Errorf("%d streams: nothing was cut", wire.streams)
	}
}

func stateOf(t *testing.T, h *harness, id string) *protocol.SessionState {
	t.Helper()
	s := new(protocol.SessionState)
	if err := json.Unmarshal(h.want(http.StatusOK, "GET", "/sessions/"+id+"/state", "").body, s); err != nil {
		t.Fatal(err)
	}
	return s
}
