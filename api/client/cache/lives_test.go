package cache

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/api/client/sync"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

const lifeID = "0198c5a2-7d1e-7c3f-9a51-6f2b8d4e1c0a"

// tally counts what the lives went through, so that a life in which nothing happens is not taken for a proof.
type tally struct{ Crashes, PowerLosses, Resets, Gaps, Epochs, Flips, Dropped, Full, Evictions, Uncached, Saves, States, Useless, Rewinds, Later, Failed int }

// life is a client with a cache on a disk that fails, and its server, over a network that fails.
type life struct {
	r      *rand.Rand
	tally  *tally
	server *server
	disk   *memory
	merged bool
	quiet  bool // no more faults
	flush  bool
	room   int64
	every  uint64 // lines between two states

	folder  *Folder
	session *Session
	state   sync.State
	shown   []string
	first   uint64 // number of shown[0]
	epoch   uint64 // of the line shown last
	asked   *protocol.Cursor
	brings  []sync.Input // of the connection
	on      bool         // there is one
	fault   string
}

// TestLives: whatever happens to client, server, network and disk, what a client shows is always a run of the log, and what it has stored is the same run; and in
// the end it has all of it. RINGMASTER_SYNC_LIVES says how many lives, RINGMASTER_SYNC_SEED which first.
//
// Proves: I13.7/lives
func TestLives(t *testing.T) {
	lives, seed := 400, 1
	if n, err := strconv.Atoi(os.Getenv("RINGMASTER_SYNC_LIVES")); err == nil {
		lives = n
	}
	if n, err := strconv.Atoi(os.Getenv("RINGMASTER_SYNC_SEED")); err == nil {
		seed = n
	}
	var sum tally
	for n := seed; n < seed+lives; n++ {
		if fault := live(uint64(n), &sum); fault != "" {
			t.Fatalf("life %d: %s", n, fault)
		}
	}
	said, _ := json.Marshal(sum)
	t.Logf("%d lives of 300 steps: %s", lives, said)
	if sum.Crashes == 0 || sum.Resets == 0 || sum.Gaps == 0 || sum.Epochs == 0 || sum.Dropped == 0 || sum.Full == 0 || sum.Uncached == 0 || sum.Saves == 0 || sum.States == 0 || sum.Useless == 0 ||
		sum.Rewinds == 0 || sum.Later == 0 || sum.Failed == 0 {
		t.Error("the lives miss something that is to happen")
	}
}

func live(seed uint64, sum *tally) string {
	r := rand.New(rand.NewPCG(seed, 7))
	l := &life{r: r, tally: sum, server: newServer(r), disk: newMemory(r), merged: r.IntN(2) == 0, flush: r.IntN(2) == 0, every: uint64(r.IntN(12))}
	if r.IntN(5) == 0 {
		l.room = 400 + int64(r.IntN(3000))
		l.disk.limit = l.room
		if r.IntN(2) == 0 { // somebody else's, which may have to go
			l.disk.now["0198c5a2-7d1e-7c3f-9a51-6f2b8d4e1c0b.ndjson"] = make([]byte, l.room/2)
		}
	}
	l.start()
	for range 300 {
		if l.step(); l.fault != "" {
			return l.fault
		}
	}
	l.settle()
	return l.fault
}

func (l *life) failf(format string, args ...any) {
	if l.fault == "" {
		l.fault = fmt.Sprintf(format, args...)
	}
}

// start is a process that begins on what the disk has.
func (l *life) start() {
	l.disk.restart()
	l.state, l.shown, l.asked, l.on, l.brings = sync.State{}, nil, nil, false, nil
	var err error
	if l.folder, err = newFolder(l.disk, Options{Flush: l.flush, Now: func() time.Time { return time.Time{} }}); err != nil {
		l.failf("%v", err)
		return
	}
	l.open()
}

func (l *life) open() {
	session, found, err := l.folder.Session(lifeID)
	if err != nil {
		l.failf("%v", err)
		return
	}
	found.SaveEvery = l.every
	if l.session = session; !l.quiet && l.r.IntN(20) == 0 {
		l.disk.fuse = l.r.IntN(4)
	}
	l.feed(found)
}

// feed gives the machine an input and does what it says; when the process ends meanwhile, the next one begins.
func (l *life) feed(in sync.Input) {
	for in != nil && l.fault == "" {
		var next sync.Input
		for _, e := range slices.Clone(l.state.Step(in, l.r.Float64())) {
			switch e.(type) {
			case sync.Save, sync.Read:
				if next != nil {
					continue
				}
			}
			if answer := l.do(e); answer != nil {
				next = answer
			}
			if l.disk.dead {
				l.tally.Crashes++
				l.start()
				return
			}
		}
		in = next
	}
}

func (l *life) do(e sync.Effect) sync.Input {
	switch e := e.(type) {
	case sync.Connect:
		l.asked, l.on, l.brings = &e.Since, false, nil
	case sync.Disconnect:
		l.asked, l.on, l.brings = nil, false, nil
	case sync.Show:
		l.show(string(e.Line), e.At)
	case sync.Forget:
		l.shown = nil
	case sync.Tell:
		l.told(e.Notice)
	case sync.Read:
		return l.read(e)
	case sync.Save:
		return l.save(e.At)
	case sync.CacheEffect:
		err := l.session.Do(e)
		switch e.(type) {
		case sync.Rewind:
			if l.tally.Rewinds++; err != nil {
				l.tally.Failed++
				return sync.Unreadable{}
			}
		case sync.Store:
			if err != nil {
				l.tally.Full++
				return sync.StoreFailed{}
			}
		case sync.Evict:
			l.tally.Evictions++
		}
	}
	return nil
}

func (l *life) told(n sync.Notice) {
	switch n {
	case sync.NoticeGap:
		l.tally.Gaps++
	case sync.NoticeEpoch:
		l.tally.Epochs++
	case sync.NoticeCacheDropped:
		l.tally.Dropped++
	case sync.NoticeUncached:
		l.tally.Uncached++
	}
}

// show holds a line against the log that its cursor is of.
func (l *life) show(line string, at protocol.Cursor) {
	log := l.server.logs[at.Epoch]
	switch {
	case at.Seq == 0 || at.Seq > uint64(len(log)) || log[at.Seq-1] != line:
		l.failf("shown at %s what is not the log's: %s", at, line)
	case len(l.shown) == 0 && !l.server.firsts[at.Seq]:
		l.failf("shown first: %s, which never was the oldest", at)
	case len(l.shown) > 0 && at.Seq != l.first+uint64(len(l.shown)):
		l.failf("shown at %s behind %d lines from %d on", at, len(l.shown), l.first)
	case len(l.shown) > 0 && at.Epoch != l.epoch:
		if l.tally.Later++; !slices.Equal(l.shown, log[l.first-1:at.Seq-1]) {
			l.failf("shown at %s behind lines of %d that are not its log's", at, l.epoch)
		}
	}
	if l.epoch = at.Epoch; len(l.shown) == 0 {
		l.first = at.Seq
	}
	l.shown = append(l.shown, line)
}

func (l *life) read(e sync.Read) sync.Input {
	epoch := l.state.At().Epoch
	if e.From > 0 {
		l.tally.States++
		if !l.quiet && l.r.IntN(10) == 0 {
			l.tally.Useless++
			return sync.Unreadable{} // whoever reads it can do nothing with it
		}
		text, err := l.session.State()
		var is, first, last uint64
		if n, _ := fmt.Sscan(string(text), &is, &first, &last); err != nil || n != 3 || is != epoch || last != e.After {
			l.failf("a checkpoint at %d.%d has %q, %v", epoch, e.After, text, err)
			return nil
		}
		for seq := first; seq <= last; seq++ {
			l.show(l.server.logs[epoch][seq-1], protocol.Cursor{Epoch: epoch, Seq: seq})
		}
	}
	for line, err := range l.session.Lines(e) {
		if err != nil && e.From > 0 {
			return sync.Unreadable{} // a loss of power has brought back a state whose removal it undid, of other lines
		}
		if err != nil { // a bit that was turned over is found before, by the checksum
			l.failf("what is stored is no run of lines: %v", err)
			return nil
		}
		l.show(string(line.Bytes), protocol.Cursor{Epoch: epoch, Seq: line.Event.Seq})
	}
	return nil
}

// save stores a state that names the lines which it stands for, and is as large as it likes.
func (l *life) save(at protocol.Cursor) sync.Input {
	last := l.first + uint64(len(l.shown)) - 1
	if len(l.shown) == 0 || at.Seq != last {
		l.failf("a state at %s is wanted, and %d lines from %d on are shown", at, len(l.shown), l.first)
	}
	text := fmt.Appendf(nil, "%d %d %d %0*d", at.Epoch, l.first, last, 1+l.r.IntN(500), 0)
	if err := l.session.SaveState(at, text); err != nil {
		return nil
	}
	l.tally.Saves++
	return sync.Saved{Size: int64(len(text))}
}

// step lets one thing happen.
func (l *life) step() {
	if !l.quiet && l.r.IntN(40) == 0 {
		l.disk.fuse = l.r.IntN(6) // the process ends in one of the next changes of the disk
	}
	switch x := l.r.IntN(1000); {
	case x < 300:
		l.grow()
	case x < 700:
		l.network()
	case x < 780:
		l.feed(sync.Tick{})
	case x < 820:
		l.lose()
	case x < 850:
		l.feed(sync.Due{})
	case x < 865:
		l.server.powerLoss()
		l.lose()
	case x < 880:
		l.retain()
	case x < 895:
		l.tally.Crashes++
		l.start()
	case x < 905:
		l.tally.PowerLosses++
		l.disk.powerLoss()
		l.start()
	case x < 912:
		l.tally.Flips++
		l.disk.flip()
		l.start()
	case x < 930 && len(l.brings) > 0: // something on the way swallows a frame, or a reset
		at := l.r.IntN(len(l.brings))
		l.swallow(at)
	case x < 950 && l.on:
		l.brings = append(l.brings, l.heartbeat())
	case x < 960:
		l.end()
	case x < 970:
		l.feed(sync.Wake{})
	case x < 980:
		l.feed(sync.Renew{})
	case x < 985 && l.merged && l.on:
		l.brings, l.on = nil, false
		l.feed(sync.Gone{Deselected: true})
	case x < 990:
		l.feed(sync.Moved{})
	case x < 1000:
		l.reopen()
	}
}

// retain drops the oldest lines, and overtakes a reader that is far behind: its connection goes on with a reset.
func (l *life) retain() {
	if l.server.retain(); l.on && l.r.IntN(2) == 0 {
		l.tally.Resets++
		l.brings = []sync.Input{sync.Reset{Epoch: l.server.epoch, Oldest: l.server.oldest}}
		for seq := l.server.oldest; seq <= l.server.newest(); seq++ {
			l.brings = append(l.brings, l.server.frame(seq))
		}
		if l.server.ended {
			l.brings = append(l.brings, l.server.over(l.merged))
		}
	}
}

func (l *life) heartbeat() sync.Input {
	at := l.server.end()
	if l.merged && l.r.IntN(2) == 0 {
		return sync.Heartbeat{}
	}
	return sync.Heartbeat{At: &at}
}

func (l *life) grow() {
	l.server.ended = false
	if l.server.append(); l.on {
		l.brings = append(l.brings, l.server.frame(l.server.newest()))
	}
}

func (l *life) end() {
	if l.server.ended = true; l.on {
		l.brings = append(l.brings, l.server.over(l.merged))
	}
}

func (l *life) lose() {
	if l.on || l.asked != nil {
		l.asked, l.on, l.brings = nil, false, nil
		l.feed(sync.Lost{})
	}
}

// network brings what is next.
func (l *life) network() {
	switch {
	case l.asked != nil:
		since := *l.asked
		l.asked = nil
		switch x := l.r.IntN(20); {
		case x == 0 && !l.quiet:
			l.feed(sync.Lost{})
		case x == 1 && !l.quiet:
			l.feed(sync.Answer{Status: 503, RetryAfter: time.Second})
		default:
			brings := l.server.answer(since, l.merged)
			_, answered := brings[0].(sync.Answer)
			l.on, l.brings = !answered, brings[1:]
			if len(l.brings) > 0 {
				if _, is := l.brings[0].(sync.Reset); is && !l.quiet && l.r.IntN(10) == 0 {
					l.swallow(0) // a reset that never comes
				} else if is {
					l.tally.Resets++
				}
			}
			l.feed(brings[0])
		}
	case len(l.brings) > 0:
		next := l.brings[0]
		l.brings = l.brings[1:]
		if _, lost := next.(sync.Lost); lost {
			l.on, l.brings = false, nil
		}
		l.feed(next)
	}
}

// reopen closes the session in order and opens it again.
func (l *life) reopen() {
	l.feed(sync.Close{})
	if l.state.Phase() != sync.PhaseClosed {
		return // the process ended meanwhile
	}
	if l.session.Close(); l.disk.dead {
		l.start()
		return
	}
	l.state, l.shown, l.asked, l.on, l.brings = sync.State{}, nil, nil, false, nil
	l.open()
}

// settle lets everything work from now on, and looks whether the client comes to have the whole log.
func (l *life) settle() {
	l.quiet, l.disk.fuse = true, -1
	for range 3000 {
		phase := l.state.Phase()
		done := l.state.At() == l.server.end()
		switch {
		case l.fault != "":
			return
		case l.asked != nil || len(l.brings) > 0:
			l.network()
		case phase == sync.PhaseWaiting:
			l.feed(sync.Due{})
		case done && (phase == sync.PhaseLive || phase == sync.PhaseOver):
			l.compare()
			return
		case phase == sync.PhaseOver || phase == sync.PhaseAside:
			l.feed(sync.Moved{})
		case l.on:
			at := l.server.end()
			l.feed(sync.Heartbeat{At: &at})
		default:
			l.failf("stuck: %s at %s, the log ends at %s", phase, l.state.At(), l.server.end())
		}
	}
	l.failf("does not come to an end: %s at %s of %s", l.state.Phase(), l.state.At(), l.server.end())
}

// compare holds view and cache against the log.
func (l *life) compare() {
	log := l.server.log()
	if len(l.shown) == 0 || !slices.Equal(l.shown, log[l.first-1:]) {
		l.failf("%d lines from %d on are shown, of %d", len(l.shown), l.first, len(log))
		return
	}
	shown := l.shown
	l.feed(sync.Tick{})
	cached := l.state.Cached()
	l.feed(sync.Close{})
	l.session.Close()
	session, found, err := l.folder.Session(lifeID)
	switch {
	case err != nil || l.fault != "":
		l.failf("%v", err)
	case !cached && (found.Index != nil || found.File.Length > 0):
		l.failf("uncached, and the cache has %+v, %+v", found.Index, found.File)
	case !cached:
	case found.Index == nil || found.Index.Seq != uint64(len(log)) || found.Index.Epoch != l.server.epoch || found.Index.Length != found.File.Length || found.Index.Sum != found.File.Sum:
		l.failf("the cache has %+v, %+v; the log ends at %d", found.Index, found.File, len(log))
	default:
		var stored []string
		for line, err := range session.Lines(sync.Read{}) {
			if err != nil {
				l.failf("%v", err)
			}
			stored = append(stored, string(line.Bytes))
		}
		if !slices.Equal(stored, shown) {
			l.failf("%d lines are stored, %d were shown", len(stored), len(shown))
		}
	}
}
