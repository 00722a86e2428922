package replay

import (
	"slices"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/recording"
)

// Session is one session of a recording, or a sub-agent of one. Its members tell of the newest incarnation.
type Session struct {
	Number       int      // 1, 2, 3 … in the order of beginning
	ID           string   // as Namer gave it
	Parent       *Session // whose sub-agent it is; nil: nobody's
	NativeID     string   // the agent's own id; empty: not known yet
	Conn         string   // label of the connection
	Cwd          string
	Incarnations int // so far

	archive *recording.Archive // of the newest incarnation, where the recording is one
	known   []string           // adapters.Spec.Known
	part    *part              // the incarnation at work; nil: none
}

// part is one incarnation of a session: its lane of a connection and its translator.
type part struct {
	session    *Session
	conn       *connection
	lane       adapters.Lane // 0: the agent splits nothing
	translator adapters.Translator
}

// learn remembers what the session's next incarnation is told of this one.
func (s *Session) learn(d adapters.Draft) (native string) {
	switch d := d.(type) {
	case adapters.Ready:
		native = d.NativeSessionID
	case adapters.MetaChanged:
		if id := d.Meta.NativeSessionID; id != nil {
			native = *id
		}
	case adapters.EntryOpened:
		s.know(d.PersistentID)
	case adapters.EntryClosed:
		s.know(d.PersistentID)
	case adapters.EntryBound:
		s.know(d.PersistentID)
	case adapters.TurnBegan, adapters.TurnEnded, adapters.EntryChanged, adapters.PhaseChanged, adapters.RequestOpened,
		adapters.RequestClosed, adapters.Used, adapters.SessionLeft, adapters.ChildBegan, adapters.Offered, adapters.SettingAnswered,
		adapters.NativeQueue, adapters.PromptAnswered, adapters.Notice, adapters.Native:
	}
	if native != "" {
		s.NativeID = native
	}
	return native
}

func (s *Session) know(id string) {
	if id == "" || slices.Contains(s.known[max(0, len(s.known)-4):], id) { // said at the opening and the closing
		return
	}
	if len(s.known) >= 2*adapters.MaxKnown {
		s.known = slices.Clone(s.known[len(s.known)-adapters.MaxKnown:])
	}
	s.known = append(s.known, id)
}

// spec is what the session wants of its agent now.
func (s *Session) spec() adapters.Spec {
	spec := adapters.Spec{
		SessionID: s.ID, NativeSessionID: s.NativeID, Program: "agent", Cwd: s.Cwd,
		Resume: s.Incarnations > 1 && s.NativeID != "" && s.Parent == nil, Child: s.Parent != nil,
	}
	if a := s.archive; a != nil {
		spec.NativeSessionID, spec.Resume, spec.Child = a.NativeSessionID, a.Resume, a.Child
		spec.Version, spec.Model, spec.Mode = a.Version, a.Model, a.Mode
	}
	if spec.Resume {
		spec.Known = slices.Clone(s.known[max(0, len(s.known)-adapters.MaxKnown):])
	}
	return spec
}
