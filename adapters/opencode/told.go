package opencode

import (
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// told is what was last said about the session. Empty members are not known.
type told struct {
	ready                                bool
	session, version, model, mode, title string
	total                                protocol.Usage // of the session, as the agent counts it
}

// ready says that the agent takes prompts, once, with what is known by then.
func (t *Translator) ready(out *adapters.Output) {
	if t.told.ready || t.session == "" {
		return
	}
	t.told.ready = true
	t.told.session = t.session
	out.Draft(adapters.Ready{
		NativeSessionID: t.session, Version: t.told.version, Model: t.told.model, Mode: t.told.mode,
	})
}

// tell reports what is known and new.
func (t *Translator) tell(model, mode, title string, out *adapters.Output) {
	var meta protocol.SessionMeta
	changed := false
	set := func(old *string, now string, member **string) {
		if now != "" && now != *old {
			*old, *member, changed = now, &now, t.told.ready
		}
	}
	set(&t.told.model, model, &meta.Model)
	set(&t.told.mode, mode, &meta.Mode)
	set(&t.told.title, title, &meta.Title)
	if changed {
		out.Draft(adapters.MetaChanged{Meta: meta})
	}
}

// sessionUpdated takes the session's own properties.
func (t *Translator) sessionUpdated(properties []byte, out *adapters.Output) {
	var p struct {
		Info sessionInfo `json:"info"`
	}
	_ = native.Decode(properties, &p)
	t.sessionInfo(&p.Info, out)
}

func (t *Translator) sessionInfo(info *sessionInfo, out *adapters.Output) {
	if info.ID != t.session {
		return
	}
	if t.told.version == "" {
		t.told.version = info.Version
	}
	if u := info.Tokens; u != nil {
		t.told.total = u.usage()
	}
	t.ready(out)
	title := info.Title
	if placeholder(title) {
		title = ""
	}
	t.tell(modelName(info.Model.ProviderID, info.Model.ID), info.Agent, title, out)
}

// placeholder says that a title is the one that every session has until the agent has found a better one.
func placeholder(title string) bool {
	return strings.HasPrefix(title, "New session - ") || strings.HasPrefix(title, "Child session - ")
}

// usage makes tokens of the agent canonical. 1.18 counts reasoning beside the output, 1.1 in it: there the total tells.
func (u *tokens) usage() protocol.Usage {
	in := u.Input + u.Cache.Read + u.Cache.Write
	output := u.Output + u.Reasoning
	if u.Total > 0 && u.Reasoning > 0 && u.Total == in+u.Output {
		output = u.Output
	}
	return protocol.Usage{
		InputTokens: count(in), CachedInputTokens: count(u.Cache.Read), OutputTokens: count(output),
		ReasoningOutputTokens: count(u.Reasoning), TotalTokens: count(in + output),
	}
}

// count makes a number of tokens of whatever the agent says.
func count(n float64) int64 {
	if !(n > 0) || n > 1<<50 {
		return 0
	}
	return int64(n)
}

// used reports what one model request used.
func (t *Translator) used(u *tokens, cost float64, model string, out *adapters.Output) {
	if u == nil {
		return
	}
	usage := u.usage()
	if usage.TotalTokens == 0 {
		return
	}
	sum := &t.told.total
	sum.InputTokens += usage.InputTokens
	sum.CachedInputTokens += usage.CachedInputTokens
	sum.OutputTokens += usage.OutputTokens
	sum.ReasoningOutputTokens += usage.ReasoningOutputTokens
	sum.TotalTokens += usage.TotalTokens
	total := *sum
	draft := adapters.Used{Usage: protocol.TokenUsage{Usage: usage, SessionTotal: &total, Model: model}}
	if cost > 0 {
		draft.Usage.Cost = &protocol.Cost{Total: cost}
	}
	out.Draft(draft)
}
