package face

import (
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/board"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/console"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/tty/ttytest"
)

// stuck is a way to a daemon on which nothing moves, and which does not even notice that nobody wants anything any more.
type stuck chan struct{}

func (s stuck) RoundTrip(*http.Request) (*http.Response, error) {
	<-s
	return nil, errors.New("let go")
}

// Somebody who quits has the terminal at once, also where something that is being done does not end.
func TestQuitWhileSomethingHangs(t *testing.T) {
	way := make(stuck)
	c, err := client.At("127.0.0.1:1", "", client.Through(way))
	if err != nil {
		t.Fatal(err)
	}
	p := ttytest.Sit(t, 80, 24)
	before := p.Modes()
	ended := make(chan error, 1)
	go func() {
		ended <- Run(t.Context(), &console.Console{In: p.TTY, Out: p.TTY, Err: p.TTY, Now: time.Now}, c, board.Options{})
	}()
	t.Cleanup(func() { // also where the test has failed
		close(way)
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if p.Modes() != before {
			t.Error("the terminal has other modes than before")
		}
	})
	p.Sees("quit")
	p.Press("q")
	p.Until("is given back", func(s *ttytest.Screen) bool { return !s.Modes["1049"] && !s.Modes["2004"] })
	select {
	case err := <-ended:
		t.Errorf("nothing hung: %v", err)
		ended <- nil
	default:
	}
}
