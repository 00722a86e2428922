package client

import "slices"

// outdate notes that the client has to be told of a resource, once, however often it changes until then.
func (x *Client) outdate(uri string, tell func(uri string) error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if !slices.Contains(x.outdated, uri) {
		x.outdated = append(x.outdated, uri)
	}
	if !x.telling {
		x.telling = x.start(func() { x.tellOutdated(tell) })
	}
}

// tellOutdated tells everything that the client has to be told, when it listens. A client that does not read delays itself alone.
func (x *Client) tellOutdated(tell func(uri string) error) {
	for {
		out := x.Listening(x.Life)
		if out == nil {
			return
		}
		x.mu.Lock()
		uris := x.outdated
		x.outdated = nil
		x.telling = len(uris) > 0
		x.mu.Unlock()
		if len(uris) == 0 {
			return
		}
		out.Hold()
		for _, uri := range uris {
			_ = tell(uri) // of a stream that has just gone the SDK keeps it
		}
		out.Release()
	}
}

// Untold drops what the client needs not be told any more.
func (x *Client) Untold(uri string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.outdated = slices.DeleteFunc(x.outdated, func(u string) bool { return u == uri })
}

// ToldLater counts the resources that the client has to be told of, without those in except.
func (x *Client) ToldLater(except map[string]bool) (n int) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, uri := range x.outdated {
		if !except[uri] {
			n++
		}
	}
	return n
}
