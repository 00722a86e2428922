package core

import (
	"maps"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// What the shell, and a description of the session, read of a state. Nothing here changes it.

// Seq is the number of the newest event; 0: there is none.
func (s *State) Seq() uint64 { return s.seq }

// Changed is the number of the newest event that has changed what a summary says of status, turn, prompts and requests.
func (s *State) Changed() uint64 { return s.changed }

// Time is the newest event's, Unix ms.
func (s *State) Time() int64 { return s.time }

// Epochs are those that the log has had.
func (s *State) Epochs() protocol.Epochs { return s.epochs }

// Ended says that the newest incarnation of the session has ended.
func (s *State) Ended() bool { return s.end != nil }

// Stands is the session's status as of its newest event.
func (s *State) Stands() protocol.State { return s.status.State }

// Parked says that the supervisor was told that the session is passive: the actor is about to be stopped, and takes nothing more.
func (s *State) Parked() bool { return s.link.parked }

// Adapter is the running agent's; nil: none runs.
func (s *State) Adapter() Adapter { return s.link.adapter }

// Connecting says that an agent was asked for and is not ready, whether or not it is being ended because of that.
func (s *State) Connecting() bool { return s.link.phase == linkStarting }

// Batch is the number of the newest batch of the running agent that was taken.
func (s *State) Batch() uint64 { return s.link.batch }

// Dropped is how many drafts have fitted nothing since the actor's start.
func (s *State) Dropped() uint64 { return s.link.dropped }

// Load is how many requests the session itself has open, and whether its agent says nothing though it works.
func (s *State) Load() (requests int64, stalled bool) { return s.requests.own(), s.status.Stalled }

// Offers is what there is to choose.
func (s *State) Offers() Offers { return s.settings.offers(s.meta.Model) }

// Requests is what is open, in the order of asking.
func (s *State) Requests() []protocol.RequestOpened { return s.requests.list() }

// Description is the whole of what is told of a session, but for its readers.
func (s *State) Description() Description {
	d := Description{Summary: s.Summary(), Starting: s.link.starting(), Requests: s.requests.list()}
	for _, q := range s.queue.waiting {
		d.Queue = append(d.Queue, q.QueuedPrompt)
	}
	return d
}

// Summary is what a list shows.
func (s *State) Summary() Summary {
	sum := Summary{
		ID: s.id, Agent: s.agent, Cwd: s.meta.Cwd, Title: s.meta.Title, FirstPrompt: s.first,
		Model: s.meta.Model, AskedModel: s.settings.asked, Mode: s.settings.mode,
		Labels: maps.Clone(s.meta.Labels), NativeSessionID: s.nativeID, AgentVersion: s.version,
		ParentSessionID: s.meta.ParentSessionID, Created: unixMilli(s.created), Updated: unixMilli(s.time),
		Epoch: s.epochs.Newest(), Seq: s.seq, Status: s.status, Turns: s.turns, Spent: s.total, Cost: s.cost, Budget: s.own, Marks: s.marks, LastTurn: s.last,
		SubAgent: s.meta.SubAgent, Spawned: s.meta.Spawned, MCP: s.meta.MCP, Owner: s.meta.Owner, Via: s.meta.Via,
		Policy: s.policy, PendingModel: s.settings.waiting[SettingModel], PendingMode: s.settings.waiting[SettingMode],
		Open: s.requests.waiting(), Turn: s.turn.ID(), Prompts: s.undone.list(s.queue.waiting), Changed: s.changed,
	}
	if s.end != nil {
		sum.EndError, sum.EndHint = s.end.Error, s.end.Hint
	}
	return sum
}
