package peers

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
)

func load(t *testing.T, path string) *Identity {
	t.Helper()
	id, err := Load(path, put)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func put(path string, text []byte) error { return os.WriteFile(path, text, 0o600) }

// TestKeyIsKept: a node keeps the key that it made once, in a file that nobody else may read.
//
// Proves: I16.7/keys
func TestKeyIsKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "peer.pem")
	first := load(t, path)
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 || len(first.Key) != 64 {
		t.Fatalf("%v, %v, %q", info.Mode(), err, first.Key)
	}
	if again := load(t, path); again.Key != first.Key {
		t.Error("another key")
	}
	if other := load(t, filepath.Join(t.TempDir(), "peer.pem")); other.Key == first.Key {
		t.Error("two nodes have one key")
	}
	for name, spoil := range map[string]func() error{
		"open to others": func() error { return os.Chmod(path, 0o640) },
		"cut":            func() error { return os.Truncate(path, info.Size()/2) },
		"empty":          func() error { return os.Truncate(path, 0) },
	} {
		text, err := os.ReadFile(path)
		if err == nil {
			err = spoil()
		}
		if err != nil {
			t.Fatal(err)
		}
		var no *KeyError
		if _, err := Load(path, put); !errors.As(err, &no) || !strings.Contains(no.Hint(), "emove") || strings.Contains(err.Error(), "PRIVATE") {
			t.Errorf("%s: %v", name, err)
		}
		if err := errors.Join(os.WriteFile(path, text, 0o600), os.Chmod(path, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Load(filepath.Join(t.TempDir(), "no folder", "peer.pem"), put); err == nil {
		t.Error("a key in no folder")
	}
}

// listen answers the TLS of peers as a node, and tells the keys of those that come.
func listen(t *testing.T, as *Identity) (address string, came <-chan string) {
	t.Helper()
	l, err := tls.Listen("tcp", "127.0.0.1:0", as.Server())
	if err != nil {
		t.Fatal(err)
	}
	keys, done := make(chan string, 16), make(chan struct{})
	go func() { // ends with the listener
		defer close(done)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			conn := c.(*tls.Conn)
			if err := conn.HandshakeContext(t.Context()); err == nil {
				s := conn.ConnectionState()
				keys <- KeyOf(&s)
			}
			_ = conn.Close()
		}
	}()
	t.Cleanup(func() {
		_ = l.Close()
		<-done
	})
	return l.Addr().String(), keys
}

// TestKeysAreProved: each side of a connection knows the key that the other has, and a node connects to no other than the one that it means.
//
// Proves: I16.7/keys
func TestKeysAreProved(t *testing.T) {
	a, b, c := load(t, filepath.Join(t.TempDir(), "a")), load(t, filepath.Join(t.TempDir(), "b")), load(t, filepath.Join(t.TempDir(), "c"))
	address, came := listen(t, b)
	conn, err := Connect(t.Context(), a, Peer{"b", address, b.Key})
	if err != nil {
		t.Fatal(err)
	}
	if key := <-came; key != a.Key {
		t.Errorf("it takes the other for %s", key)
	}
	_ = conn.Close()
	for name, key := range map[string]string{"another key": c.Key, "no key": ""} {
		if _, err := Connect(t.Context(), a, Peer{"b", address, key}); !errors.Is(err, errOther) {
			t.Errorf("%s: %v", name, err)
		}
	}
	plain := &tls.Config{InsecureSkipVerify: true} // a client that is no node, and looks at nothing
	stranger, err := (&tls.Dialer{Config: plain}).DialContext(t.Context(), "tcp", address)
	if err == nil {
		_, err = stranger.Read(make([]byte, 1))
		_ = stranger.Close()
	}
	if err == nil || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("without a key: %v", err)
	}
	old := a.client(b.Key)
	old.MinVersion, old.MaxVersion = tls.VersionTLS12, tls.VersionTLS12
	if stranger, err := (&tls.Dialer{Config: old}).DialContext(t.Context(), "tcp", address); err == nil {
		_ = stranger.Close()
		t.Error("an older version of TLS is taken")
	}
	if KeyOf(nil) != "" || KeyOf(&tls.ConnectionState{}) != "" {
		t.Error("a key of nobody")
	}
}

// TestNodeHasMoved: a node that has started again at another address is found there at once; one that is gone is not waited for.
//
// Proves: I16.7/moved
func TestNodeHasMoved(t *testing.T) {
	a, b := load(t, filepath.Join(t.TempDir(), "a")), load(t, filepath.Join(t.TempDir(), "b"))
	gone, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = gone.Close()
	address, came := listen(t, b)
	at := core.Node{Owner: core.Owner{Node: "b", Incarnation: 1}, State: core.StateUp, Beats: true, Ends: time.Hour, Beat: core.Beat{Address: gone.Addr().String(), Key: b.Key}}
	now := time.Unix(1_000_000, 0)
	book := NewBook(Config{Here: "a", Now: func() time.Time { return now }, Nodes: func(context.Context) ([]core.Node, error) { return []core.Node{at}, nil }})
	defer book.Close()
	d := &Dialer{Book: book, Identity: a}
	if _, err := d.Dial(t.Context(), "b"); err == nil || !strings.Contains(err.Error(), "refused") {
		t.Errorf("%v", err)
	}
	at.Address = address
	now = now.Add(between)
	conn, err := d.Dial(t.Context(), "b")
	if err != nil {
		t.Fatal(err)
	}
	_ = conn.Close()
	if key := <-came; key != a.Key {
		t.Errorf("%s", key)
	}
	if _, err := d.Dial(t.Context(), "c"); !errors.Is(err, ErrUnknown) {
		t.Errorf("%v", err)
	}
}
