package process

import "sync"

// processes is the machine's process table. When many agents end at once their sweeps share a reading: each gets one
// that began after it asked.
var processes census

type census struct {
	reading sync.Mutex // one reading at a time
	mu      sync.Mutex
	next    *round // has not begun
}

type round struct {
	done  chan struct{}
	table []found
}

func (c *census) take() []found {
	c.mu.Lock()
	r := c.next
	if r != nil {
		c.mu.Unlock()
		<-r.done
		return r.table
	}
	r = &round{done: make(chan struct{})}
	c.next = r
	c.mu.Unlock()

	c.reading.Lock()
	defer c.reading.Unlock()
	c.mu.Lock()
	c.next = nil // from here on a caller needs a later reading
	c.mu.Unlock()
	r.table = agents.groups().place(list())
	close(r.done)
	return r.table
}
