package replay

import (
	"slices"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/recording"
	"github.com/ringmaster-agents/ringmaster/protocol"
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
	unbound []adapters.Unbound // adapters.Spec.Unbound
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
		s.note(s.entryID(d.Key), d.Type, d.Data, d.PersistentID)
	case adapters.EntryChanged:
		s.grow(s.entryID(d.Key), d.Delta)
	case adapters.EntryClosed:
		s.know(d.PersistentID)
		s.note(s.entryID(d.Key), "", d.Data, d.PersistentID)
	case adapters.EntryBound:
		s.know(d.PersistentID)
		if d.ID == "" {
			d.ID = s.entryID(d.Key)
		}
		s.unbound = slices.DeleteFunc(s.unbound, func(u adapters.Unbound) bool { return u.ID == d.ID })
	case adapters.TurnBegan, adapters.TurnEnded, adapters.PhaseChanged, adapters.RequestOpened,
		adapters.EntryOverflow, adapters.RequestClosed, adapters.Used, adapters.SessionLeft, adapters.ChildBegan, adapters.Offered, adapters.SettingAnswered,
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

func (s *Session) entryID(k adapters.EntryKey) string {
	return protocol.EntryID(uint32(s.Incarnations), uint32(k))
}

// note remembers an entry that has no id of the agent's own, as its data is now.
func (s *Session) note(id string, kind protocol.EntryType, data protocol.EntryData, persistent string) {
	at := slices.IndexFunc(s.unbound, func(u adapters.Unbound) bool { return u.ID == id })
	switch {
	case at >= 0 && persistent != "":
		s.unbound = slices.Delete(s.unbound, at, at+1)
	case at >= 0:
		if u, ok := adapters.NewUnbound(id, s.unbound[at].Type, data); ok {
			s.unbound[at] = u
		}
	case kind != "" && persistent == "":
		u, _ := adapters.NewUnbound(id, kind, data) // it may get a text yet
		s.unbound = append(s.unbound, u)
		if n := len(s.unbound); n >= 2*adapters.MaxUnbound {
			s.unbound = slices.Clone(s.unbound[n-adapters.MaxUnbound:])
		}
	}
}

// grow adds to the text of such an entry: the agent may be lost before it ends it.
func (s *Session) grow(id string, d protocol.Delta) {
	for i := len(s.unbound) - 1; i >= 0; i-- {
		u := &s.unbound[i]
		if u.ID != id || u.Type == protocol.EntryToolCall {
			continue
		}
		switch d := d.(type) {
		case *protocol.TextAppend:
			if room := adapters.MaxUnboundText - len(u.Text); room >= len(d.Text) {
				u.Text += d.Text
			}
		case *protocol.TextSet:
			*u, _ = adapters.NewUnbound(id, u.Type, &protocol.MessageData{Text: d.Text})
		default:
		}
		return
	}
}

// remembered are the entries that the next incarnation may bind.
func (s *Session) remembered() []adapters.Unbound {
	list := slices.DeleteFunc(slices.Clone(s.unbound), func(u adapters.Unbound) bool { return u.Text == "" && u.CallID == "" })
	return list[max(0, len(list)-adapters.MaxUnbound):]
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
		spec.MaxText = min(a.MaxText, adapters.MostText)
		if a.MCPServer != "" {
			spec.MCP = &adapters.MCPServer{Name: a.MCPServer}
		}
	}
	if spec.Resume {
		spec.Known = slices.Clone(s.known[max(0, len(s.known)-adapters.MaxKnown):])
	}
	if s.Incarnations > 1 && s.Parent == nil { // a recording may show that the agent goes on before it names its session
		spec.Unbound = s.remembered()
	}
	return spec
}
