package cache

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/ringmaster-agents/ringmaster/api/client/sync"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// server is a daemon's side of one session: a log that grows, loses its end in a loss of power, drops its oldest events, ends and is revived.
type server struct {
	r      *rand.Rand
	epoch  uint64
	oldest uint64
	logs   map[uint64][]string // by epoch, as it was in the end
	epochs protocol.Epochs
	firsts map[uint64]bool // every event that was ever the oldest
	ended  bool
	count  int
}

func newServer(r *rand.Rand) *server {
	s := &server{r: r, epoch: 1, oldest: 1, logs: map[uint64][]string{}, firsts: map[uint64]bool{1: true}}
	for range 5 {
		s.append()
	}
	return s
}

func (s *server) log() []string        { return s.logs[s.epoch] }
func (s *server) newest() uint64       { return uint64(len(s.log())) }
func (s *server) end() protocol.Cursor { return protocol.Cursor{Epoch: s.epoch, Seq: s.newest()} }

func (s *server) append() {
	s.count++
	line := fmt.Sprintf(`{"seq":%d,"ts":1,"type":"model","v":%d,"text":"%s"}`, s.newest()+1, s.count, strings.Repeat("é", s.r.IntN(20)))
	s.logs[s.epoch] = append(s.log(), line)
}

func (s *server) powerLoss() {
	kept := max(int(s.oldest), len(s.log())-s.r.IntN(10))
	old := s.log()[:kept]
	s.epoch++
	s.epochs = slices.DeleteFunc(s.epochs, func(e protocol.EpochStart) bool { return e.First > uint64(kept) }) // of what is lost nothing is known
	s.epochs = s.epochs.Begin(s.epoch, uint64(kept)+1)
	s.logs[s.epoch] = append([]string{}, old...)
	s.append()
}

func (s *server) retain() {
	s.oldest = min(s.newest(), s.oldest+uint64(s.r.IntN(5)))
	s.firsts[s.oldest] = true
}

func (s *server) frame(seq uint64) sync.Input {
	return sync.Frame{At: protocol.Cursor{Epoch: s.epoch, Seq: seq}, Seq: seq, Line: []byte(s.log()[seq-1])}
}

// good says that a cursor is one of this log (spec §2.3).
func (s *server) good(c protocol.Cursor) bool {
	agree, known := s.epochs.Agree(c.Epoch)
	return known && c.Seq <= min(agree, s.newest()) && c.Seq+1 >= s.oldest
}

// reset answers a cursor that is not; of one of an earlier epoch it says how far the logs agree.
func (s *server) reset(c protocol.Cursor) sync.Reset {
	to := sync.Reset{Epoch: s.epoch, Oldest: s.oldest}
	if agree, known := s.epochs.Agree(c.Epoch); known && c.Epoch < s.epoch && c.Seq > agree && agree+1 >= s.oldest {
		to.Common = agree
	}
	return to
}

// answer is what a connection from a cursor brings first.
func (s *server) answer(since protocol.Cursor, merged bool) []sync.Input {
	from := since.Seq
	brings := []sync.Input{sync.Connected{}}
	switch {
	case since.Start():
		from = s.oldest - 1
	case !s.good(since):
		if s.r.IntN(4) == 0 { // as /log does it
			to := s.reset(since)
			return []sync.Input{sync.Answer{Status: 410, Epoch: to.Epoch, Oldest: to.Oldest, Common: to.Common}}
		}
		brings = append(brings, s.reset(since))
		from = s.oldest - 1
	case s.ended && !merged && from == s.newest():
		return []sync.Input{sync.Answer{Status: 204}}
	}
	for seq := from + 1; seq <= s.newest(); seq++ {
		brings = append(brings, s.frame(seq))
	}
	if s.ended {
		brings = append(brings, s.over(merged))
	}
	return brings
}

// over is how a connection says that the session has ended.
func (s *server) over(merged bool) sync.Input {
	if merged {
		return sync.Over{At: s.end()}
	}
	return sync.Lost{}
}

// swallow loses one of the things that a connection brings, unless nobody could notice: a reset whose log goes on right behind the position (spec §10.5).
func (l *life) swallow(at int) {
	left := slices.Delete(slices.Clone(l.brings), at, at+1)
	for _, in := range left {
		if _, is := in.(sync.Reset); is {
			break
		}
		if f, is := in.(sync.Frame); is {
			if stands := l.state.At(); f.Seq == stands.Seq+1 && f.At.Epoch > stands.Epoch && !stands.Start() && !l.server.good(stands) {
				return
			}
			break
		}
	}
	l.brings = left
}
