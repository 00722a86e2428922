package recordings

import (
	"fmt"
	"strings"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// outline tells logs in a few words, in the order of the log:
//
//	(user assistant)=completed   a turn, its entries at their ends, and how it ended
//	bash:error                   a tool call, by its tool and status
//	assistant~retry              an entry that is incomplete, and why
//	system:notify                a notice, by its kind
//	?approval !allowed           a request and its outcome
//	+steer -dispatched           a prompt that is queued and removed
//	[ … ] [ … ]                  several logs
func outline(logs []*log) string {
	var all []string
	for _, l := range logs {
		var words strings.Builder
		word := func(format string, args ...any) {
			if s := words.String(); s != "" && !strings.HasSuffix(s, "(") {
				words.WriteByte(' ')
			}
			fmt.Fprintf(&words, format, args...)
		}
		for _, e := range l.events {
			switch p := e.Payload.(type) {
			case *protocol.TurnStart:
				word("(")
			case *protocol.TurnEnd:
				fmt.Fprintf(&words, ")=%s", p.Status)
			case *protocol.EntryEnd:
				word("%s", brief(p))
			case *protocol.RequestOpened:
				word("?%s", p.Kind)
			case *protocol.RequestResolved:
				word("!%s", p.Outcome)
			case *protocol.PromptQueued:
				word("+%s", p.StreamingBehavior)
			case *protocol.PromptRemoved:
				word("-%s", p.Reason)
			}
		}
		all = append(all, words.String())
	}
	if len(all) > 1 {
		return "[" + strings.Join(all, "] [") + "]"
	}
	return all[0]
}

func brief(p *protocol.EntryEnd) string {
	s, _, _ := strings.Cut(string(p.EntryType), "_")
	switch d := p.Data.(type) {
	case *protocol.ToolCallData:
		s = d.ToolName + ":" + string(d.Status)
	case *protocol.SystemData:
		s += ":" + d.Kind
	}
	if p.Incomplete {
		s += "~" + strings.ReplaceAll(p.Reason, " ", "_")
	}
	return s
}

// states are the status events of a log, from the first prompt on: the state, and the prompts that wait where some do.
func states(l *log) string {
	var words []string
	begun := false
	for _, e := range l.events {
		switch p := e.Payload.(type) {
		case *protocol.TurnStart:
			begun = true
		case *protocol.Status:
			if !begun {
				continue
			}
			w := string(p.State)
			if p.QueuedPrompts > 0 {
				w += fmt.Sprintf("+%d", p.QueuedPrompts)
			}
			words = append(words, w)
		}
	}
	return strings.Join(words, " ")
}

// tools are the statuses of the n-th tool call, in order.
func tools(l *log, n int) string {
	var words []string
	id := ""
	for _, e := range l.events {
		switch p := e.Payload.(type) {
		case *protocol.EntryStart:
			if d, ok := p.Data.(*protocol.ToolCallData); ok {
				if n--; n == 0 {
					id, words = p.EntryID, []string{string(d.Status)}
				}
			}
		case *protocol.EntryDelta:
			if c, ok := p.Delta.(*protocol.StatusChange); ok && p.EntryID == id {
				words = append(words, string(c.Status))
			}
		case *protocol.EntryEnd:
			if d, ok := p.Data.(*protocol.ToolCallData); ok && p.EntryID == id {
				words = append(words, string(d.Status))
			}
		}
	}
	return strings.Join(words, " ")
}
