package problem

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/ringmaster-agents/ringmaster/api/control"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// TestProblemOf: a session that goes while it is asked, as all do when the daemon ends, is no fault of the daemon.
func TestProblemOf(t *testing.T) {
	for _, c := range []struct {
		err  error
		code protocol.Code
	}{
		{fmt.Errorf("poll: %w", control.ErrGone), protocol.CodeUnavailable},
		{context.DeadlineExceeded, protocol.CodeUnavailable},
		{protocol.NewProblem(protocol.CodeOverloaded, "", ""), protocol.CodeOverloaded},
		{errors.New("disk on fire"), protocol.CodeInternal},
	} {
		if p := Of(c.err); p.Code != c.code || c.code != protocol.CodeOverloaded && p.Hint == "" {
			t.Errorf("%v: %+v", c.err, p)
		}
	}
}
