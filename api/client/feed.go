package client

import (
	"context"
	"iter"
	stdsync "sync"
)

// maxFeed bounds the changes that wait for the slowest reader, in bytes of lines and 100 for each.
const maxFeed = 4 << 20

// feed hands changes on to readers, each of which has a position. A reader that is slow holds up the mirror, and the mirror its stream: the daemon's log is the
// queue, so that nothing is lost and memory stays bounded.
type feed struct {
	mu      stdsync.Mutex
	list    []Change
	first   uint64 // the number of list[0]
	bytes   int
	readers map[*uint64]struct{} // their positions
	news    chan struct{}        // closed at the next change
	room    chan struct{}        // closed when a reader has taken something
	err     error
	ended   bool
}

func newFeed() feed {
	return feed{readers: map[*uint64]struct{}{}, news: make(chan struct{}), room: make(chan struct{})}
}

// put adds a change. Without readers it is forgotten.
func (f *feed) put(ctx context.Context, c Change) {
	size := 100
	switch c := c.(type) {
	case SessionLine:
		size += len(c.Line.Raw)
	case SessionOverflow:
		size += c.Size()
	default:
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for len(f.readers) > 0 && len(f.list) > 0 && f.bytes+size > maxFeed {
		room := f.room
		f.mu.Unlock()
		select {
		case <-room:
			f.mu.Lock()
		case <-ctx.Done():
			f.mu.Lock()
			return
		}
	}
	if len(f.readers) == 0 {
		return
	}
	f.list, f.bytes = append(f.list, c), f.bytes+size
	close(f.news)
	f.news = make(chan struct{})
}

func (f *feed) wanted() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.readers) > 0
}

func (f *feed) end(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.err, f.ended = err, true
	close(f.news)
	f.news = make(chan struct{})
}

func (f *feed) join() *uint64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	at := new(f.first + uint64(len(f.list)))
	f.readers[at] = struct{}{}
	return at
}

func (f *feed) leave(at *uint64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.readers, at)
	f.trim()
}

// trim lets go of what every reader has had.
func (f *feed) trim() {
	least := f.first + uint64(len(f.list))
	for at := range f.readers {
		least = min(least, *at)
	}
	if n := least - f.first; n > 0 {
		clear(f.list[:n])
		f.list, f.first = f.list[n:], least
		f.bytes = 0
		for _, c := range f.list {
			f.bytes += 100
			if l, is := c.(SessionLine); is {
				f.bytes += len(l.Line.Raw)
			}
		}
	}
	close(f.room)
	f.room = make(chan struct{})
}

// take gives what follows a reader's position, or what to wait for.
func (f *feed) take(at *uint64) (list []Change, news <-chan struct{}, ended bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	list = append(list, f.list[*at-f.first:]...)
	*at = f.first + uint64(len(f.list))
	f.trim()
	return list, f.news, f.ended
}

// Changes tells what changes from now on, in order, until the loop is left, ctx is done, or Run has returned: then the last error is Run's. It begins with a
// SessionChanged for each session of the list, and with ListCurrent where that is known; State and At say what was kept before. A consumer that is slow is
// behind, and loses nothing: the mirror waits for it, and the daemon's logs keep what is to come.
func (m *Mirror) Changes(ctx context.Context) iter.Seq2[Change, error] {
	return func(yield func(Change, error) bool) {
		m.mu.Lock() // nothing is told in between
		at := m.feed.join()
		current := m.current
		m.mu.Unlock()
		defer m.feed.leave(at)
		for _, s := range m.Roster() {
			if !yield(SessionChanged{s}, nil) {
				return
			}
		}
		if current != nil && !yield(*current, nil) {
			return
		}
		for {
			list, news, ended := m.feed.take(at)
			for _, c := range list {
				if !yield(c, nil) {
					return
				}
			}
			if ended && len(list) == 0 {
				yield(nil, m.feed.err)
				return
			}
			if len(list) > 0 {
				continue
			}
			select {
			case <-news:
			case <-ctx.Done():
				yield(nil, context.Cause(ctx))
				return
			}
		}
	}
}
