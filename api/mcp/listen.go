package mcp

// listens notes that the client has opened its stream of notifications, in the place of an older one.
func (x *client) listens(out *streamWriter) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.out = out
	select {
	case <-x.opened:
	default:
		close(x.opened)
	}
}

// leaves notes that a stream of notifications is over.
func (x *client) leaves(out *streamWriter) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.out == out {
		x.out = nil
	}
}

// stream gives the client's stream of notifications; nil: it is not open.
func (x *client) stream() *streamWriter {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.out
}
