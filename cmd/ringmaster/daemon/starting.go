package daemon

import (
	"context"
	"net"

	"github.com/ringmaster-agents/ringmaster/api"
)

// answering is the server on the daemon's listeners.
type answering struct {
	server *api.Server
	served chan error // one value per listener
}

// answer begins to answer, and tells the first listener that fails.
func answer(conf api.Config, listeners []net.Listener, failed chan<- error) *answering {
	a := &answering{api.NewStarting(conf), make(chan error, len(listeners))}
	for _, l := range listeners {
		go func() { // ends with Server.Close
			err := a.server.Serve(l)
			if err != nil {
				select {
				case failed <- err:
				default:
				}
			}
			a.served <- err
		}()
	}
	return a
}

// close ends it, which closes the listeners; nil: nothing has begun.
func (a *answering) close(ctx context.Context) error {
	if a == nil {
		return nil
	}
	err := a.server.Close(ctx)
	for range cap(a.served) {
		<-a.served
	}
	return err
}
