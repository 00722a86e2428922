// Package poll reads events for clients that ask for them: of one log or of those of a family, page by page, and waits for more.
package poll

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ringmaster-agents/ringmaster/actors/failpoint"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/api/control"
	"github.com/ringmaster-agents/ringmaster/api/mcp/call"
	"github.com/ringmaster-agents/ringmaster/api/mcp/caller"
	"github.com/ringmaster-agents/ringmaster/api/mcp/feed"
	"github.com/ringmaster-agents/ringmaster/api/mcp/output"
	"github.com/ringmaster-agents/ringmaster/api/mcp/problem"
	"github.com/ringmaster-agents/ringmaster/api/mcp/push"
	"github.com/ringmaster-agents/ringmaster/api/mcp/task"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// Polls are what calls of session_events have in common.
type Polls struct {
	door    *control.Door
	views   *feed.Views
	tasks   *task.Tasks
	callers *caller.Callers
	list    func(ctx context.Context, q supervisor.Query) (supervisor.Page, error)
}

// New reads logs behind a door.
func New(d *control.Door, t *task.Tasks, c *caller.Callers, list func(ctx context.Context, q supervisor.Query) (supervisor.Page, error)) *Polls {
	return &Polls{door: d, views: feed.NewViews(), tasks: t, callers: c, list: list}
}

// poll is one call of session_events: a reader of one log, or of those of a family.
type poll struct {
	of      *Polls
	call    *call.Call
	in      *Input
	types   map[protocol.ItemType]bool
	members []*member // the root first
	born    []string  // sub-agents' sessions that were read of and are not in yet
	looked  int       // for them
	told    int       // events told as progress
}

// begin begins a call.
func (s *Polls) begin(ctx context.Context, c *call.Call, in *Input) (*poll, error) {
	p := &poll{of: s, call: c, in: in, types: map[protocol.ItemType]bool{}}
	for _, t := range in.Types {
		p.types[protocol.ItemType(t)] = true
	}
	if len(in.Types) == 0 {
		for _, t := range output.ItemTypes {
			p.types[t] = t != protocol.ItemDelta
		}
	}
	over, err := false, error(nil)
	if in.PromptID != "" {
		_, over, err = s.tasks.Outcome(ctx, in.SessionID, in.PromptID)
	}
	if err == nil {
		err = p.join(ctx)
	}
	if err != nil {
		p.close()
		return nil, err
	}
	p.members[0].over = over
	return p, nil
}

// join takes in the sessions that the poll is about; those that are in already stay.
func (p *poll) join(ctx context.Context) error {
	ids := []string{p.in.SessionID}
	if p.in.IncludeChildren {
		var err error
		if ids, err = p.of.family(ctx, p.in.SessionID); err != nil {
			return err
		}
	}
	for _, id := range ids {
		if p.has(id) != nil {
			continue
		}
		m, err := p.member(ctx, id)
		switch {
		case err == nil:
			p.members = append(p.members, m)
		case id != p.in.SessionID && problem.Of(err).Code == protocol.CodeSessionNotFound: // a child that was deleted meanwhile
		default:
			return err
		}
	}
	return nil
}

// has finds a session that is in.
func (p *poll) has(id string) *member {
	for _, m := range p.members {
		if m.id == id {
			return m
		}
	}
	return nil
}

func (p *poll) close() {
	for _, m := range p.members {
		m.feed.Close()
	}
}

// read takes what is there.
func (p *poll) read(ctx context.Context) error {
	for _, m := range p.members {
		if err := m.read(ctx, p); err != nil {
			return err
		}
	}
	p.tell(ctx)
	return nil
}

// tell says events as they come, on the stream of this very request: as progress where the client gave a token, and as log
// messages where it asked for a level in the request.
func (p *poll) tell(ctx context.Context) {
	if !p.in.Follow || p.in.IncludeChildren {
		return
	}
	token := p.call.Params.GetProgressToken()
	got := p.members[0].got
	for _, ev := range got[p.told:] {
		if token != nil {
			_ = p.call.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{
				ProgressToken: token, Progress: float64(ev.Index + 1), Message: progressText(&ev.SessionEvent),
			})
		}
		if p.call.Modern() {
			_ = push.Log(ctx, p.call.Session, ev.SessionEvent)
		}
	}
	p.told = len(got)
}

// maxProgress is how much of an event's text a progress notification shows, in bytes.
const maxProgress = 200

func progressText(it *protocol.SessionEvent) string {
	text := string(it.Type)
	if it.ToolName != "" {
		text += " " + it.ToolName
	}
	if it.Text != "" {
		text += ": " + it.Text
	}
	return protocol.Head(text, maxProgress)
}

func (p *poll) count() (n int) {
	for _, m := range p.members {
		n += m.live
	}
	return n
}

// enough says that waiting longer would tell the client nothing that it asked for.
func (p *poll) enough() bool {
	root, n := p.members[0], p.count()
	switch {
	case n >= p.in.MaxEvents, root.feed.Ended(), p.lost(), p.full():
		return true
	case p.in.PromptID != "" && root.over:
		return true
	case p.in.Follow && p.asks():
		return true
	case p.in.Follow && p.in.PromptID != "":
		return false
	case p.in.Follow:
		return n > 0 && root.status != "" && root.status != protocol.StateResponding.ItemStatus()
	}
	return n > 0
}

// full says that some log has more than is wanted.
func (p *poll) full() bool {
	return slices.ContainsFunc(p.members, func(m *member) bool { return m.more })
}

// lost says that some log is not the one any more that was read: the next call is told.
func (p *poll) lost() bool {
	return slices.ContainsFunc(p.members, func(m *member) bool { return m.feed.Lost })
}

// asks says that something was asked that the caller may answer: it would wait for itself.
func (p *poll) asks() bool {
	return slices.ContainsFunc(p.members, func(m *member) bool { return len(m.asks) > 0 })
}

// elsewhere says that what an item tells stands in the log of another session as well, which is read, too: it is told once. That is a
// request of that session, and the end of its turn.
func (p *poll) elsewhere(it *protocol.SessionEvent) bool {
	_, other, relayed := strings.Cut(it.RequestID, "@")
	if it.Type == protocol.ItemChild {
		other, relayed = it.ChildSessionID, true
	}
	return p.in.IncludeChildren && relayed && (p.has(other) != nil || len(p.members) < output.MaxFamily)
}

// How often a poll looks for the session of a sub-agent that its parent's log has told of, and how many times: it may have
// been deleted since.
const (
	adoption     = 50 * time.Millisecond
	maxAdoptions = 20
)

// wait returns when one of the logs has news, or with the context's error. New children are taken in then.
func (p *poll) wait(ctx context.Context) error {
	if !p.in.IncludeChildren {
		return p.members[0].feed.Wait(ctx)
	}
	some, cancel := context.WithCancel(ctx)
	if len(p.born) > 0 {
		some, cancel = context.WithTimeout(ctx, adoption)
	}
	var wg sync.WaitGroup
	for _, m := range p.members {
		if m.feed.Ended() {
			continue
		}
		wg.Go(func() { // ends with the first news, or the context
			if m.feed.Wait(some) == nil {
				cancel()
			}
		})
	}
	wg.Wait()
	cancel()
	if err := ctx.Err(); err != nil || len(p.born) == 0 {
		return err
	}
	err := p.join(ctx)
	p.born = slices.DeleteFunc(p.born, func(id string) bool { return p.has(id) != nil })
	if p.looked++; p.looked == maxAdoptions || len(p.born) == 0 {
		p.born, p.looked = nil, 0
	}
	return err
}

// maxCatchUps bounds how often a poll reads again because the session went on meanwhile.
const maxCatchUps = 3

// settle describes the session, and reads on as far as the description goes: a client that is told that a session is idle
// stops asking, so it must have everything by then. more says that there may be events that were not read.
func (p *poll) settle(ctx context.Context) (d session.Description, more bool, err error) {
	root := p.members[0]
	for range maxCatchUps {
		if d, err = p.of.door.Describe(ctx, root.id); err != nil {
			return d, false, err
		}
		running := d.Status.State.ItemStatus() == protocol.StateResponding.ItemStatus()
		if running || root.more || root.feed.Lost || d.Seq <= root.feed.At {
			return d, root.feed.Lost, nil
		}
		if err := p.read(ctx); err != nil {
			return d, false, err
		}
	}
	return d, root.feed.At < d.Seq, nil
}

// family lists a session and its sub-agents' sessions, the parents first.
func (s *Polls) family(ctx context.Context, root string) ([]string, error) {
	ids := []string{root}
	for i := 0; i < len(ids) && len(ids) < output.MaxFamily; i++ {
		page, err := s.list(ctx, supervisor.Query{Parent: ids[i], Limit: output.MaxFamily})
		if err != nil {
			return nil, err
		}
		for _, child := range page.Sessions {
			if !slices.Contains(ids, child.ID) && len(ids) < output.MaxFamily {
				ids = append(ids, child.ID)
			}
		}
	}
	return ids, nil
}

// Events carries a call of session_events out.
func (s *Polls) Events(ctx context.Context, c *call.Call, in *Input) (*Output, error) {
	if err := in.check(); err != nil {
		return nil, err
	}
	p, err := s.begin(ctx, c, in)
	if err != nil {
		return nil, err
	}
	defer p.close()
	wait, cancel := context.WithTimeout(ctx, time.Duration(in.WaitMs)*time.Millisecond)
	defer cancel()
	for {
		if err := p.read(ctx); err != nil {
			return nil, err
		}
		if p.enough() || wait.Err() != nil || p.wait(wait) != nil {
			break
		}
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	failpoint.Hit("poll/beforePoll")
	return p.output(ctx)
}
