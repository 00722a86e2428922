package client

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
)

// A mirror of the list alone asks for no log. Whoever reads its changes is told whether the list is current, also who comes later, and so over a lost
// connection.
func TestMirrorOfTheListAlone(t *testing.T) {
	row := `data: {"type":"session","session":{"id":"` + mirrored + `","agent":"pi","seq":4}}` + "\n\n"
	s := &streamer{texts: []string{row + complete, row + complete}}
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		m := newClient("http://localhost", "the fake", "", s, nil).Mirror(MirrorOptions{List: true, States: true})
		why, ended := errors.New("enough"), make(chan error, 1)
		told := make(chan []string, 2)
		listen := func() {
			var list []string
			for c := range m.Changes(ctx) {
				switch c := c.(type) {
				case SessionChanged:
					list = append(list, "session "+c.Agent)
				case ListCurrent:
					list = append(list, fmt.Sprint("current ", c.Current))
				case SessionGone, SessionLine, SessionOverflow, SessionNotice, SessionReset, SessionRestored:
					t.Errorf("%#v", c)
				}
			}
			told <- list
		}
		go listen()
		go func() { ended <- m.Run(ctx) }()
		synctest.Wait() // the first stream has ended, and the mirror waits
		go listen()
		synctest.Wait()
		<-m.Synced()
		cancel(why)
		if err := <-ended; !errors.Is(err, why) {
			t.Error(err)
		}
		for range 2 {
			if list := <-told; !slices.Contains(list, "current true") || !slices.Contains(list, "session pi") {
				t.Errorf("told %q", list)
			}
		}
	})
	for _, body := range s.asked {
		if body != `{"roster":true}` {
			t.Errorf("asked for %s", body)
		}
	}
}
