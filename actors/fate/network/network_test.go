package network_test

import (
	"errors"
	"io"
	"net"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/fate/network"
)

// far is what a client reaches through a network: its server's ends of connections come out of ends.
type far struct {
	*testing.T
	*network.Network
	address string
	ends    chan net.Conn
}

func before(t *testing.T) *far {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	f := &far{T: t, ends: make(chan net.Conn)}
	done := make(chan struct{})
	go func() { // ends with the listener
		defer close(done)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			select {
			case f.ends <- c:
			case <-t.Context().Done():
				_ = c.Close()
			}
		}
	}()
	t.Cleanup(func() {
		_ = l.Close()
		<-done
		stacks := make([]byte, 1<<20)
		if s := string(stacks[:runtime.Stack(stacks, true)]); strings.Contains(s, "network.(*Network)") {
			t.Errorf("the network has left:\n%s", s)
		}
	})
	n, at := network.Before(t, "tcp://"+l.Addr().String()+"/path?query")
	address, rest, _ := strings.Cut(strings.TrimPrefix(at, "tcp://"), "/")
	if rest != "path?query" {
		t.Errorf("the server is at %s", at)
	}
	f.Network, f.address = n, address
	return f
}

// dial makes a connection that a word has gone through in both directions.
func (f *far) dial() (client, server net.Conn) {
	f.Helper()
	client, err := net.Dial("tcp", f.address)
	if err != nil {
		f.Fatal(err)
	}
	server = <-f.ends
	f.Cleanup(func() { _, _ = client.Close(), server.Close() })
	f.say(client, server, "hello")
	f.say(server, client, "hello yourself")
	return client, server
}

// say says a word at one end and hears it at the other.
func (f *far) say(from, to net.Conn, word string) {
	f.Helper()
	f.write(from, word)
	f.hear(to, word)
}

func (f *far) write(to net.Conn, word string) {
	f.Helper()
	if _, err := io.WriteString(to, word); err != nil {
		f.Fatal(err)
	}
}

func (f *far) hear(from net.Conn, word string) {
	f.Helper()
	b := make([]byte, len(word))
	if _, err := io.ReadFull(from, b); err != nil || string(b) != word {
		f.Fatalf("%q, %v: want %q", b, err, word)
	}
}

// ended waits for the end of a connection that nothing more comes out of.
func (f *far) ended(c net.Conn) {
	f.Helper()
	if n, err := c.Read(make([]byte, 1)); n > 0 || err == nil || errors.Is(err, net.ErrClosed) {
		f.Fatal(n, err)
	}
}

// nothing holds where nothing has come, as far as can be seen at once: what comes later is seen by hear.
func (f *far) nothing(from net.Conn) {
	f.Helper()
	if err := from.SetReadDeadline(time.Now().Add(network.Late)); err != nil {
		f.Fatal(err)
	}
	if n, err := from.Read(make([]byte, 1)); n > 0 || !isTimeout(err) {
		f.Fatal(n, err)
	}
	if err := from.SetReadDeadline(time.Time{}); err != nil {
		f.Fatal(err)
	}
}

func isTimeout(err error) bool {
	var e net.Error
	return errors.As(err, &e) && e.Timeout()
}

// TestNetwork: what each condition does to connections, and that nothing is left of any of them.
func TestNetwork(t *testing.T) {
	for name, befalls := range map[string]func(f *far){
		"good": func(f *far) {
			a, b := f.dial()
			_ = a.Close()
			f.ended(b)
		},
		"cut": func(f *far) {
			a, b := f.dial()
			f.Become(network.Cut)
			f.ended(a)
			f.ended(b)
			late, err := net.Dial("tcp", f.address)
			if err != nil {
				f.Fatal(err)
			}
			defer late.Close()
			f.ended(<-f.ends)
			f.ended(late)
			f.Become(network.Good)
			f.dial()
		},
		"silent": func(f *far) {
			a, b := f.dial()
			_, other := f.dial()
			f.Become(network.Silent)
			f.write(a, "anybody?")
			f.nothing(b)
			f.Become(network.Good)
			f.hear(b, "anybody?")
			f.Become(network.Silent)
			_ = a.Close()
			f.nothing(b) // it is not told of the end either
			f.write(other, "nobody hears this, and the test ends")
		},
		"silent at a word": func(f *far) {
			a, b := f.dial()
			silent := f.SilentAt("word")
			f.say(a, b, "by and by")
			f.write(a, "a word.")
			<-silent
			f.nothing(b)
			f.Become(network.Cut)
			f.ended(b) // which has never heard the word
		},
		"slow": func(f *far) {
			a, b := f.dial()
			f.Become(network.Slow)
			begun := time.Now()
			f.say(a, b, "there")
			f.say(b, a, "and back")
			if took := time.Since(begun); took < 2*network.Late {
				f.Errorf("it took %v", took)
			}
		},
		"void": func(f *far) {
			a, b := f.dial()
			f.Become(network.Void)
			f.ended(a)
			f.nothing(b)
			f.write(b, "into the void")
			f.Become(network.Good)
			f.dial()
			f.write(b, "and again")
			f.nothing(b)
		},
		"torn": func(f *far) {
			f.Disturb(true)
			for range 3 {
				client, err := net.Dial("tcp", f.address)
				if err != nil {
					f.Fatal(err)
				}
				server := <-f.ends
				for err == nil { // until it has ended
					if _, err = client.Write([]byte{1}); err == nil {
						_, err = server.Read(make([]byte, 1))
					}
				}
				_, _ = client.Close(), server.Close()
			}
			f.Disturb(false)
			f.dial()
		},
	} {
		t.Run(name, func(t *testing.T) { befalls(before(t)) })
	}
}
