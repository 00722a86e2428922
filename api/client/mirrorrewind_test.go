package client

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/api/client/cache"
	"github.com/ringmaster-agents/ringmaster/api/client/sync"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// seen is what a mirror has told.
type seen struct {
	stand   []string // of the lines: what no reset has made void
	lines   int      // all of them
	notices []sync.Notice
}

// mirroredUntil runs a mirror with a cache until its session is at a cursor.
func mirroredUntil(t *testing.T, s *streamer, c Cache, until protocol.Cursor) (got seen) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		defer time.AfterFunc(10*time.Minute, func() { cancel(errors.New("it never came so far")) }).Stop()
		m := newClient("http://localhost", "the fake", "", s, nil).Mirror(MirrorOptions{Cache: c, States: true, SaveEvery: 2})
		enough, ended, heard := errors.New("enough"), make(chan error, 1), make(chan struct{})
		go func() {
			defer close(heard)
			for change := range m.Changes(ctx) {
				switch change := change.(type) {
				case SessionLine:
					got.lines++
					if got.stand = append(got.stand, change.Line.At.String()); change.Line.At == until {
						cancel(enough)
					}
				case SessionRestored:
					got.stand = append(got.stand, "state "+change.At.String())
				case SessionReset:
					got.stand = nil
				case SessionNotice:
					got.notices = append(got.notices, change.Notice)
				}
			}
		}()
		synctest.Wait()
		go func() { ended <- m.Run(ctx) }()
		if err := <-ended; !errors.Is(err, enough) {
			t.Errorf("Run returned %v", err)
		}
		<-heard
		if state := m.State(mirrored); state == nil || state.Seq != until.Seq || state.Epoch != until.Epoch {
			t.Errorf("the state is %+v", state)
		}
	})
	return got
}

// storedIn is what a cache has of the session.
func storedIn(t *testing.T, f *cache.Folder) (at protocol.Cursor, seqs []uint64) {
	t.Helper()
	s, found, err := f.Session(mirrored)
	if err != nil || found.Index == nil {
		t.Fatalf("%+v, %v", found, err)
	}
	defer s.Close()
	for line, err := range s.Lines(sync.Read{}) {
		if err != nil {
			t.Fatal(err)
		}
		seqs = append(seqs, line.Event.Seq)
	}
	return protocol.Cursor{Epoch: found.Index.Epoch, Seq: found.Index.Seq}, seqs
}

func linesOf(epoch uint64, seqs ...uint64) (text string) {
	for _, n := range seqs {
		line := event(n)
		if n == 1 {
			line = fmt.Sprintf(`{"seq":1,"ts":1,"type":"session_start","sessionId":%q,"agentBackend":"pi","metadata":{}}`, mirrored)
		}
		text += merged(epoch, n, line)
	}
	return text
}

func resetTo(epoch, oldest, newest, common uint64) string {
	return fmt.Sprintf(`data: {"type":"reset","sessionId":%q,"epoch":%d,"oldest":%d,"newest":%d,"common":%d}`+"\n\n", mirrored, epoch, oldest, newest, common)
}

// What the log still has is kept, shown again, and not asked for; the lines that it lost are neither shown any more nor stored. The
// mirror does so with a cache that it finds, and with one that it has filled itself.
func TestMirrorRewinds(t *testing.T) {
	folder, err := cache.Open(t.TempDir(), cache.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	if got := mirroredUntil(t, &streamer{texts: []string{linesOf(1, 1, 2, 3, 4, 5)}}, Files(folder), protocol.Cursor{Epoch: 1, Seq: 5}); len(got.stand) != 5 {
		t.Fatalf("%+v", got)
	}
	s := &streamer{texts: []string{resetTo(2, 1, 4, 3) + linesOf(2, 1, 2), linesOf(2, 4), resetTo(3, 1, 3, 2), linesOf(3, 3, 4)}}
	got := mirroredUntil(t, s, Files(folder), protocol.Cursor{Epoch: 3, Seq: 4})
	if want := []string{"3.1", "3.2", "3.3", "3.4"}; !slices.Equal(got.stand, want) || len(got.notices) > 0 {
		t.Errorf("told were %+v", got)
	}
	for i, want := range []string{"5", "2.3", "2.4", "3.2"} {
		if i >= len(s.asked) || !strings.Contains(s.asked[i], `"`+mirrored+`":"`+want+`"`) {
			t.Fatalf("request %d is not for %s: %q", i+1, want, s.asked)
		}
	}
	if at, seqs := storedIn(t, folder); at != (protocol.Cursor{Epoch: 3, Seq: 4}) || !slices.Equal(seqs, []uint64{1, 2, 3, 4}) {
		t.Errorf("stored are %d, up to %s", seqs, at)
	}
}

// forgetful is a cache of before there was a Rewind, or one that fails at it.
type forgetful struct {
	files

	err error
}

type forgetfulSession struct {
	*cache.Session

	err error
}

func (f forgetful) Open(id string) (CachedSession, sync.Open, error) {
	s, found, err := f.Session(id)
	return forgetfulSession{s, f.err}, found, err
}

func (s forgetfulSession) Do(e sync.CacheEffect) error {
	if _, is := e.(sync.Rewind); is {
		return s.err
	}
	return s.Session.Do(e)
}

// Where the cache cannot go back, or does not know how, nothing of it is shown in the later epoch for longer than it takes to notice, and all is read anew.
func TestMirrorWithACacheThatCannotRewind(t *testing.T) {
	for name, way := range map[string]struct {
		failure error
		shown   int // of its lines, before that
	}{"it says so": {errors.New("no"), 0}, "it does not know": {nil, 3}} {
		t.Run(name, func(t *testing.T) {
			folder, err := cache.Open(t.TempDir(), cache.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer folder.Close()
			c := forgetful{files{folder}, way.failure}
			mirroredUntil(t, &streamer{texts: []string{linesOf(1, 1, 2, 3)}}, c, protocol.Cursor{Epoch: 1, Seq: 3})
			s := &streamer{texts: []string{resetTo(2, 1, 4, 2), linesOf(2, 1, 2, 3, 4)}}
			got := mirroredUntil(t, s, c, protocol.Cursor{Epoch: 2, Seq: 4})
			if want := []string{"2.1", "2.2", "2.3", "2.4"}; !slices.Equal(got.stand, want) || !slices.Equal(got.notices, []sync.Notice{sync.NoticeCacheDropped}) {
				t.Errorf("told were %+v", got)
			}
			if got.lines != way.shown+4 {
				t.Errorf("%d lines of the cache were told in the later epoch, not %d", got.lines-4, way.shown)
			}
			if last := s.asked[len(s.asked)-1]; !strings.Contains(last, `"`+mirrored+`":"0"`) {
				t.Errorf("asked %q", s.asked)
			}
			if at, seqs := storedIn(t, folder); at != (protocol.Cursor{Epoch: 2, Seq: 4}) || len(seqs) != 4 {
				t.Errorf("stored are %d, up to %s", seqs, at)
			}
		})
	}
}
