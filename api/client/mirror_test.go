package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

const mirrored = "0198c5a2-7d1e-7c3f-9a51-6f2b8d4e1c0a"

// streamer answers every request for a merged stream with the next of its texts, and holds the connection open behind it.
type streamer struct {
	texts []string
	asked []string
}

func (s *streamer) RoundTrip(r *http.Request) (*http.Response, error) {
	b, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	s.asked = append(s.asked, string(b))
	text := s.texts[min(len(s.asked), len(s.texts))-1]
	resp := answer(http.StatusOK, "text/event-stream", "")
	resp.Body = &body{text: strings.NewReader(text), silent: len(s.asked) >= len(s.texts), ctx: r.Context()}
	return resp, nil
}

func merged(epoch, seq uint64, line string) string {
	return fmt.Sprintf("id: %s/%s\ndata: %s\n\n", mirrored, protocol.Cursor{Epoch: epoch, Seq: seq}, line)
}

const complete = `data: {"type":"roster_complete","revision":"r"}` + "\n\n"

// upToSeq runs a mirror until its session has come so far, and gives the lines that Changes told.
func upToSeq(t *testing.T, s *streamer, seq uint64) (seqs []uint64, m *Mirror) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		m = newClient("http://localhost", "the fake", "", s, nil).Mirror(MirrorOptions{States: true})
		why, ended := errors.New("enough"), make(chan error, 1)
		told := make(chan struct{})
		go func() {
			defer close(told)
			for c, err := range m.Changes(ctx) {
				switch c := c.(type) {
				case nil:
					if !errors.Is(err, why) {
						t.Errorf("Changes ended with %v", err)
					}
				case SessionLine:
					if seqs = append(seqs, c.Line.At.Seq); c.Line.At.Seq == seq {
						cancel(why)
					}
				case SessionReset:
					seqs = nil
				}
			}
		}()
		synctest.Wait()
		go func() { ended <- m.Run(ctx) }()
		if err := <-ended; !errors.Is(err, why) {
			t.Errorf("Run returned %v", err)
		}
		<-told
		if err := m.Run(ctx); !errors.Is(err, ErrRunning) {
			t.Errorf("a second Run: %v", err)
		}
	})
	return seqs, m
}

// Lines that are lost, come twice, or are of another epoch lead to what the log has, asked for where the mirror stands.
func TestMirrorMends(t *testing.T) {
	lines := func(epoch uint64, seqs ...uint64) (text string) {
		for _, n := range seqs {
			text += merged(epoch, n, event(n))
		}
		return text
	}
	for name, c := range map[string]struct {
		texts []string
		asked string // for the session, by the last request
	}{
		"in order":   {[]string{complete + lines(1, 1, 2, 3)}, ""},
		"twice":      {[]string{lines(1, 1, 2, 2, 1, 3)}, ""},
		"gap":        {[]string{lines(1, 1, 3), lines(1, 2, 3)}, "1"},
		"cut":        {[]string{lines(1, 1, 2), lines(1, 3)}, "2"},
		"reset":      {[]string{lines(1, 1, 2) + `data: {"type":"reset","sessionId":"` + mirrored + `","epoch":2,"oldest":1,"newest":3}` + "\n\n" + lines(2, 1, 2, 3)}, ""},
		"epoch":      {[]string{lines(1, 1, 2) + lines(2, 1), lines(2, 1, 2, 3)}, "0"},
		"later":      {[]string{lines(1, 1) + lines(2, 2, 3)}, ""},
		"heartbeats": {[]string{lines(1, 1, 2) + `data: {"type":"heartbeat","ts":1,"at":{"` + mirrored + `":"3"}}` + "\n\n", lines(1, 3)}, "2"},
	} {
		t.Run(name, func(t *testing.T) {
			s := &streamer{texts: c.texts}
			seqs, m := upToSeq(t, s, 3)
			if fmt.Sprint(seqs) != "[1 2 3]" {
				t.Errorf("told were %v", seqs)
			}
			if at, kept := m.At(mirrored); !kept || at.Seq != 3 {
				t.Errorf("it stands at %v", at)
			}
			if last := s.asked[len(s.asked)-1]; len(s.asked) != len(c.texts) || c.asked != "" && !strings.Contains(last, `"`+mirrored+`":"`+c.asked+`"`) {
				t.Errorf("asked %q", s.asked)
			}
		})
	}
}

// What a text has beyond its log is told in its place, of a session that the stream is read for alone, and is no line.
// Proves: I15.7/overflow
func TestMirrorOverflows(t *testing.T) {
	over := func(id string, at int) string {
		return fmt.Sprintf(`data: {"type":"overflow","sessionId":"%s","entryId":"e1","ts":1,"offset":%d,"delta":{"op":"text_append","text":"more"}}`+"\n\n", id, at)
	}
	other := strings.Replace(mirrored, mirrored[:8], "ffffffff", 1)
	s := &streamer{texts: []string{
		over(mirrored, 1) + merged(1, 1, event(1)) + over(mirrored, 2) + over(other, 3) + merged(1, 3, event(3)) + over(mirrored, 4), // the gap ends it
		merged(1, 2, event(2)) + over(mirrored, 5) + merged(1, 3, event(3)),
	}}
	var got []string
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		m := newClient("http://localhost", "the fake", "", s, nil).Mirror(MirrorOptions{})
		told := make(chan struct{})
		go func() {
			defer close(told)
			for c := range m.Changes(ctx) {
				switch c := c.(type) {
				case SessionLine:
					if got = append(got, strconv.FormatUint(c.Line.At.Seq, 10)); c.Line.At.Seq == 3 {
						cancel()
					}
				case SessionOverflow:
					got = append(got, fmt.Sprintf("+%d", c.Offset))
				}
			}
		}()
		synctest.Wait()
		if err := m.Run(ctx); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		<-told
	})
	if want := "[1 +2 2 +5 3]"; fmt.Sprint(got) != want {
		t.Errorf("told were %v, want %s", got, want)
	}
}

// A reader that does not read holds up no more of what texts have beyond their logs than of lines.
// Proves: I15.7/overflow
func TestOverflowsWaitInABoundedQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFeed()
		at := f.join()
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			c := SessionOverflow{ID: mirrored, Overflow: protocol.Overflow{Delta: &protocol.TextAppend{Text: strings.Repeat("x", 32<<10)}}}
			for ctx.Err() == nil {
				f.put(ctx, c)
			}
		}()
		synctest.Wait()
		if list, _, _ := f.take(at); len(list) > maxFeed>>15 {
			t.Errorf("%d overflows waited", len(list))
		}
		cancel()
		<-ended
	})
}

// An event that this build cannot decode is a line like any other: it is told, and nothing is asked for again.
func TestMirrorOfUnknownEvents(t *testing.T) {
	odd := `{"seq":2,"ts":1,"type":"entry_meta","entryId":7}`
	if _, err := protocol.Decode([]byte(odd)); err == nil {
		t.Fatal("the line is an event")
	}
	s := &streamer{texts: []string{merged(1, 1, event(1)) + merged(1, 2, odd) + merged(1, 3, event(3))}}
	if seqs, _ := upToSeq(t, s, 3); fmt.Sprint(seqs) != "[1 2 3]" || len(s.asked) != 1 {
		t.Errorf("told were %v after %d requests", seqs, len(s.asked))
	}
}

// A reader of changes that is slow holds up the mirror, and loses nothing.
func TestSlowReadersLoseNothing(t *testing.T) {
	f := newFeed()
	at := f.join()
	const n = 200_000
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i := range uint64(n) {
			f.put(t.Context(), SessionLine{Line: Line{At: protocol.Cursor{Seq: i}}})
		}
	}()
	var next uint64
	for next < n {
		list, news, _ := f.take(at)
		if len(list) > maxFeed/100 {
			t.Fatalf("%d changes waited", len(list))
		}
		for _, c := range list {
			if c.(SessionLine).Line.At.Seq != next {
				t.Fatalf("change %v came after %d", c, next)
			}
			next++
		}
		if len(list) == 0 {
			<-news
		}
	}
	<-done
}
