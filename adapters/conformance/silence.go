package conformance

import (
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/recording"
	"github.com/ringmaster-agents/ringmaster/adapters/replay"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// silence looks, in the recording's own time, at the texts before tool calls: how long after its last word a text ends, which is when
// readers of whole messages see it. Where a call begins, no text before it may still wait.
func (s *Suite) silence(t *testing.T, records []recording.Record) {
	type text struct {
		last time.Duration // when it last grew
		left bool          // it has words
	}
	player := s.player()
	open := map[*replay.Session]map[adapters.EntryKey]*text{}
	longest := time.Duration(0)
	for _, r := range records {
		for _, x := range player.Play(copied(r)) {
			if x.Begins || open[x.Session] == nil {
				open[x.Session] = map[adapters.EntryKey]*text{}
			}
			texts := open[x.Session]
			for _, d := range x.Drafts {
				switch d := d.(type) {
				case adapters.EntryOpened:
					switch d.Type {
					case protocol.EntryAssistantMessage, protocol.EntryThinking:
						texts[d.Key] = &text{last: r.At}
					case protocol.EntryToolCall:
						for key, e := range texts {
							if e.left {
								t.Errorf("%v: call %d begins %v after the last word of text %d, which has not ended", r.At, d.Key, r.At-e.last, key)
							}
						}
					default:
					}
				case adapters.EntryChanged:
					if e := texts[d.Key]; e != nil {
						e.last, e.left = r.At, true
					}
				case adapters.EntryClosed:
					if e := texts[d.Key]; e != nil && e.left {
						longest = max(longest, r.At-e.last)
					}
					delete(texts, d.Key)
				case adapters.TurnEnded:
					clear(texts)
				default:
				}
			}
		}
	}
	t.Logf("texts end at most %v after their last word", longest)
}
