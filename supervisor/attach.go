package supervisor

import (
	"strings"

	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor/endpoint"
)

// checkAttach refuses what the agent cannot: to be attached to, to go on with a session of its own, and two sessions on one.
func (s *state) checkAttach(n *NewSession) error {
	a := s.agents[n.Agent]
	capabilities := a.agent.Capabilities()
	if n.Endpoint != nil {
		if !capabilities.Attach {
			return &protocol.Problem{
				Code: protocol.CodeNotSupported, Detail: "The agent " + n.Agent + " cannot be attached to.",
				Hint: "Leave out endpoint: the daemon starts the agent.",
			}
		}
		if err := endpoint.Check(n.Endpoint, s.cfg.AttachHosts); err != nil {
			return err
		}
	}
	if n.NativeSessionID == "" {
		return nil
	}
	if !capabilities.Resume {
		return &protocol.Problem{
			Code: protocol.CodeNotSupported, Detail: "The agent " + n.Agent + " cannot go on with a session of its own.",
			Hint: "Leave out " + protocol.TermNativeSessionID + ".",
		}
	}
	if len(n.NativeSessionID) > 256 || strings.HasPrefix(n.NativeSessionID, "-") || strings.ContainsFunc(n.NativeSessionID, notInNativeID) ||
		strings.Trim(n.NativeSessionID, ".") == "" {
		return &protocol.Problem{
			Code: protocol.CodeInvalidRequest, Detail: "This is no id of an agent's session.",
			Hint: "At most 256 letters, digits, and . _ : -; a hyphen does not begin it, and it is more than dots.",
		}
	}
	for _, x := range s.kin.native[nativeKey{n.Agent, n.NativeSessionID}] {
		if !x.summary.Status.State.Ended() && len(x.deleting) == 0 {
			which := ""
			if n.Owner == "" || n.Owner == x.summary.Owner { // others' sessions are not to be told of
				which = ": " + x.summary.ID
			}
			return &protocol.Problem{
				Code: protocol.CodeConflict, Detail: "Another session works with this session of the agent" + which + ".",
				Hint: "Use that one, or end it first.",
			}
		}
	}
	return nil
}

// notInNativeID keeps ids from being taken for paths or options.
func notInNativeID(r rune) bool {
	return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("._:-", r)
}
