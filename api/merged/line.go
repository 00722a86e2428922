package merged

import "github.com/ringmaster-agents/ringmaster/actors/ring"

// line has the feeds that may have something new, the longest waiting first. Their bells say which ones come into it.
type line struct {
	bells *ring.Bells
	rung  []*ring.Bell // of Take
	of    map[*ring.Bell]*feed
	feeds []*feed
}

func newLine() line { return line{bells: ring.NewBells(), of: map[*ring.Bell]*feed{}} }

// hang gives a feed its bell.
func (l *line) hang(f *feed) {
	f.bell = l.bells.New()
	l.of[f.bell] = f
}

// take puts the feeds in line whose bells were rung, and says whether another one was.
func (l *line) take(other *ring.Bell) (rung bool) {
	l.rung = l.bells.Take(l.rung[:0])
	for _, b := range l.rung {
		if f := l.of[b]; f != nil {
			l.add(f)
		} else {
			rung = rung || b == other
		}
	}
	return rung
}

// add puts a feed in line, unless it is.
func (l *line) add(f *feed) {
	if !f.inLine {
		f.inLine = true
		l.feeds = append(l.feeds, f)
	}
}

// next takes the first one out.
func (l *line) next() *feed {
	f := l.feeds[0]
	l.feeds[0], l.feeds = nil, l.feeds[1:]
	f.inLine = false
	return f
}
