package core

import (
	"maps"
	"strings"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// about is the part of a state that knows what is said of the session as a whole: whose it is, what it is called, which session of the agent's it is.
type about struct {
	id       string
	agent    string
	meta     protocol.Metadata
	first    string           // the beginning of the first prompt
	titled   bool             // by a client or a lead: the agent's own title does not count
	named    bool             // a client named the agent's session to go on with
	policy   *protocol.Policy // nil: everything is asked
	nativeID string
	version  string
}

func (a *about) applyStart(p *protocol.SessionStart) {
	a.id, a.agent, a.meta = p.SessionID, p.AgentBackend, p.Metadata
	a.meta.Labels = maps.Clone(p.Metadata.Labels)
	a.policy = p.Metadata.Policy
	a.titled = p.Metadata.Title != "" && !p.Metadata.SubAgent // a sub-agent's is its parent agent's word
}

// applyMeta takes what has changed. heard says that the agent may have been heard of before.
func (a *about) applyMeta(p *protocol.SessionMeta, heard bool) {
	if p.Title != nil {
		a.meta.Title, a.titled = *p.Title, p.TitleGiven
	}
	set(&a.meta.Model, p.Model)
	a.named = a.named || p.NativeSessionID != nil && !heard // said with the session's beginning
	set(&a.nativeID, p.NativeSessionID)
	set(&a.version, p.AgentVersion)
	if p.Labels != nil {
		a.meta.Labels = maps.Clone(p.Labels)
	}
	if p.Policy != nil {
		a.policy = p.Policy
	}
}

// maxFirstPrompt bounds Summary.FirstPrompt, in bytes.
const maxFirstPrompt = 120

// called keeps the beginning of the first prompt.
func (a *about) called(text string) {
	if a.first != "" {
		return
	}
	text = strings.Join(strings.Fields(text[:min(len(text), 4*maxFirstPrompt)]), " ")
	if len(text) > maxFirstPrompt {
		text = text[:maxFirstPrompt-len("…")] + "…"
	}
	a.first = strings.ToValidUTF8(text, "")
}

// hasRoot says that what is asked here is asked at another session as well: the topmost that this one works for as a sub-agent
// or as a session that an agent made.
func (a *about) hasRoot() bool { return a.meta.SubAgent || a.meta.Spawned }

// told is the session that is told how this one's turns end; empty: none is.
func (a *about) told() string {
	if a.meta.SubAgent {
		return ""
	}
	return a.meta.ParentSessionID
}

// ofAgent is what the agent says of its session. A title that somebody gave it stays.
func (a *about) ofAgent(m protocol.SessionMeta) protocol.SessionMeta {
	m.TitleGiven = false
	if a.titled {
		m.Title = nil
	}
	return m
}

// unknown gives what of m is not known yet; ok is false where it is nothing.
func (a *about) unknown(m protocol.SessionMeta, settings *settings) (_ protocol.SessionMeta, ok bool) {
	same := func(p **string, old string) {
		if *p != nil && **p == old {
			*p = nil
		}
	}
	if m.TitleGiven == a.titled {
		same(&m.Title, a.meta.Title)
	}
	if m.Title == nil {
		m.TitleGiven = false
	}
	same(&m.Model, a.meta.Model)
	same(&m.Mode, settings.mode)
	same(&m.NativeSessionID, a.nativeID)
	same(&m.AgentVersion, a.version)
	settings.fulfil(&m)
	return m, m.Title != nil || m.Model != nil || m.Mode != nil || m.PendingModel != nil || m.PendingMode != nil ||
		m.NativeSessionID != nil || m.AgentVersion != nil || m.Labels != nil || m.Capabilities != nil || m.Policy != nil
}
