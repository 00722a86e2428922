package supervisor

import (
	"runtime/debug"
	"sync/atomic"

	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/supervisor/core"
	"github.com/ringmaster-agents/ringmaster/supervisor/finding"
	"github.com/ringmaster-agents/ringmaster/supervisor/proofs"
	"go.uber.org/zap"
)

// What the prover tells of the sessions that are known by copies.
type (
	// proven names some whose folders are as their copies tell.
	proven struct{ ids []string }
	// corrected has what the folder of one says of which the copy was not true.
	corrected struct {
		id     string
		found  *core.Found // nil: the folder holds no session
		refuse error       // as in home
	}
)

func (*proven) message()    {}
func (*corrected) message() {}

// Lost implements ask.Letter.
func (*proven) Lost() ask.Loss { return ask.Nothing }

// Lost implements ask.Letter.
func (*corrected) Lost() ask.Loss { return ask.Nothing }

func (m *proven) input() core.Input    { return &core.Proven{IDs: m.ids} }
func (m *corrected) input() core.Input { return &core.Corrected{ID: m.id, Found: m.found} }

// prover makes what asks the folders of those sessions of which a copy was read. send reaches the supervisor's actor.
func prover(left *finding.Reader, send func(Message)) *proofs.Prover {
	var others atomic.Int64
	many := len(left.IDs) >= 10_000
	p := proofs.New(proofs.Config{
		Holds: left.Resting.Holds,
		True:  func(ids []string) { send(&proven{ids}) },
		Other: func(id string) {
			others.Add(1)
			m := &corrected{id: id}
			if x, ok := left.Session(id); ok {
				m.found, m.refuse = &x, left.Refusal(id)
			}
			send(m)
		},
		Done: func() {
			if n := others.Load(); n > 0 {
				left.Log.Info("read sessions at rest whose folders are not as the daemon before had left them", zap.Int64("count", n))
			}
			if many {
				debug.FreeOSMemory() // what asking has used: the daemon may be idle for long
			}
		},
	}, left.IDs, left.Copies)
	left.IDs, left.Copies = nil, nil
	return p
}

// about is the session that a question is about, of which a copy may tell what is not true; empty: it is about none, or is the core's.
func about(m Message) string {
	switch m := m.(type) {
	case *Look:
		return m.ID
	case *AtRest:
		return m.ID
	default:
		return ""
	}
}
