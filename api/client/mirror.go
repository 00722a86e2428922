package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	stdsync "sync"

	"github.com/ringmaster-agents/ringmaster/api/client/sync"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// MirrorOptions say what a Mirror keeps. The zero value keeps every session within reach in memory.
type MirrorOptions struct {
	Select *resource.Selector // which sessions; nil: all within reach
	Cache  Cache              // where their lines are stored; nil: nowhere
	States bool               // fold the logs, for State
	List   bool               // the list of all sessions within reach, and no log: Select, Cache and States are not looked at

	// With States and a Cache whose sessions are StateKeepers, the state of a session is stored as well: when so many lines and no fewer bytes than the last
	// state has stand behind that, when the session has ended, and when Run ends. The next Mirror begins with it in place of the lines before it. 0:
	// sync.SaveEvery, 5,000
	SaveEvery uint64
}

// Mirror keeps many sessions over one stream (spec §7.13): the list of sessions, and of each one its log, exactly, across lost connections, restarts of the
// daemon and of the program itself. Package sync decides what is asked for, shown and stored.
//
// Run does the work. The other methods are safe for concurrent use, also before Run and behind it.
type Mirror struct {
	client  *Client
	options MirrorOptions
	feed    feed
	synced  chan struct{}
	begin   stdsync.Once

	mu       stdsync.Mutex
	sessions map[string]*kept
	roster   map[string]resource.SessionSummary
	current  *ListCurrent // as it was told last; nil: it was not
}

// kept is one session of a mirror. All but state and at belong to Run's goroutine.
type kept struct {
	id      string
	machine sync.State
	cache   CachedSession // nil: it is not stored
	joined  bool          // the stream's frames are for its machine

	state *protocol.SessionState // nil: not wanted
	at    protocol.Cursor        // of the last line shown
}

// Mirror makes a mirror of sessions of this daemon, which keeps nothing until Run.
func (c *Client) Mirror(o MirrorOptions) *Mirror {
	return &Mirror{
		client: c, options: o, synced: make(chan struct{}), feed: newFeed(),
		sessions: map[string]*kept{}, roster: map[string]resource.SessionSummary{},
	}
}

// ErrRunning says that Run was called twice.
var ErrRunning = errors.New("the mirror runs or has run")

// Run keeps the sessions until ctx is done, and returns its cause; or until the daemon refuses the stream, and returns the *protocol.Problem. A daemon that
// is away is waited for. What is read and not stored yet is stored before Run returns, and the cache's sessions are closed.
func (m *Mirror) Run(ctx context.Context) error {
	err := ErrRunning
	m.begin.Do(func() {
		err = (&runner{Mirror: m}).run(ctx)
		m.feed.end(err)
	})
	return err
}

// Synced is closed when the first list of sessions is whole.
func (m *Mirror) Synced() <-chan struct{} { return m.synced }

// Roster gives the sessions as the list of the daemon has them, in the order of their ids.
func (m *Mirror) Roster() []resource.SessionSummary {
	m.mu.Lock()
	defer m.mu.Unlock()
	list := make([]resource.SessionSummary, 0, len(m.roster))
	for _, id := range slices.Sorted(maps.Keys(m.roster)) {
		list = append(list, m.roster[id])
	}
	return list
}

// At is the position up to which the log of a session is kept; false: it is not kept.
func (m *Mirror) At(id string) (protocol.Cursor, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	k := m.sessions[id]
	if k == nil {
		return protocol.Cursor{}, false
	}
	return k.at, true
}

// State gives the state of a session as of the last line that is kept: a copy, which the mirror changes no more. It is nil where the session is not kept, or
// MirrorOptions.States does not ask for states. A copy costs what its JSON does.
func (m *Mirror) State(id string) *protocol.SessionState {
	m.mu.Lock()
	var text []byte
	if k := m.sessions[id]; k != nil && k.state != nil {
		text = k.state.AppendJSON(nil)
	}
	m.mu.Unlock()
	if text == nil {
		return nil
	}
	state := new(protocol.SessionState)
	if json.Unmarshal(text, state) != nil {
		return &protocol.SessionState{} // before its first line a state has no id, and no JSON
	}
	return state
}

// want is the request for a stream that goes on where everything is.
func (m *Mirror) want() resource.StreamRequest {
	w := resource.StreamRequest{Select: m.options.Select, Roster: true, Sessions: map[string]string{}}
	if m.options.List {
		return resource.StreamRequest{Roster: true}
	}
	if w.Select == nil {
		w.Select = new(resource.Selector)
	}
	for id, k := range m.sessions {
		switch k.machine.Phase() {
		case sync.PhaseConnecting, sync.PhaseOver:
			w.Sessions[id] = k.machine.At().String()
		default:
		}
	}
	return w
}

// cursorOf reads the cursor of a signal; what is none is the start, which says nothing.
func cursorOf(text string) (protocol.Cursor, error) {
	at, err := protocol.ParseCursor(text)
	if err != nil {
		return at, fmt.Errorf("the daemon's stream: %w", err)
	}
	return at, nil
}
