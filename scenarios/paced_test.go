package scenarios

import (
	"bytes"
	"io"
	"sync"
	"time"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

// paced is a scripted agent whose log is the same in every run. The translator asks for the agent's ids while the agent
// speaks; which of the two goroutines is faster would decide where the answers stand in the log. So these questions wait
// until the agent has said all it can say at this moment: time moves on only then.
type paced struct {
	adapters.Conn
	in *pacedInput
}

// Input implements adapters.Conn.
func (c paced) Input() io.WriteCloser { return c.in }

// askLater is shorter than a millisecond: the log's times stay the same.
const askLater = 100 * time.Microsecond

type pacedInput struct {
	to io.WriteCloser

	mu     sync.Mutex
	later  *time.Timer // nil: nothing waits
	held   []byte
	closed bool
}

func (i *pacedInput) Write(b []byte) (int, error) {
	var now []byte
	i.mu.Lock()
	for line := range bytes.Lines(b) {
		if bytes.Contains(line, []byte(`"type":"get_entries"`)) {
			i.held = append(i.held, line...)
		} else {
			now = append(now, line...)
		}
	}
	if len(i.held) > 0 && i.later == nil && !i.closed {
		i.later = time.AfterFunc(askLater, i.ask)
	}
	i.mu.Unlock()
	if len(now) == 0 {
		return len(b), nil
	}
	if _, err := i.to.Write(now); err != nil {
		return 0, err
	}
	return len(b), nil
}

func (i *pacedInput) ask() {
	i.mu.Lock()
	held := i.held
	i.held, i.later = nil, nil
	i.mu.Unlock()
	i.to.Write(held)
}

// Close implements io.Closer.
func (i *pacedInput) Close() error {
	i.mu.Lock()
	i.closed = true
	if i.later != nil {
		i.later.Stop()
	}
	i.mu.Unlock()
	return i.to.Close()
}
