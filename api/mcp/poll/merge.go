package poll

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/ringmaster-agents/ringmaster/api/mcp/output"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// output is what the call answers.
func (p *poll) output(ctx context.Context) (*Output, error) {
	d, more, err := p.settle(ctx)
	if err != nil {
		return nil, err
	}
	root := p.members[0]
	word := d.Status.State.ItemStatus()
	out := &Output{
		SessionID: root.id, Status: word, State: string(d.Status.State), Events: []sessionEvent{}, HasMore: more,
		Epoch: root.epoch, Reset: root.reset, DroppedEvents: int(root.dropped),
		Completed: word == protocol.StateCompleted.ItemStatus(), Failed: word == protocol.StateFailed.ItemStatus(), Error: d.EndError,
	}
	if oldest, _ := root.feed.Reader.Log.Bounds(); oldest > 0 {
		out.OldestIndex = int(oldest) - 1
	}
	p.merge(out)
	return out, nil
}

// placed is an event and the log that it is of.
type placed struct {
	sessionEvent
	of *member
}

// merge puts what was read in the order of time and cuts it to what was asked for. The events of one log keep their order.
func (p *poll) merge(out *Output) {
	last := map[*member]uint64{}
	read := 0
	for _, m := range p.members {
		last[m] = m.since
		out.HasMore = out.HasMore || m.more
		read += len(m.got)
	}
	if root := p.members[0]; read > 0 && len(p.members) == 1 { // in order already, and no more than was asked for
		out.Events = root.got
		if root.live < read {
			out.Events = slices.DeleteFunc(slices.Clone(root.got), func(ev sessionEvent) bool { return ev.replaced })
		}
		last[root] = root.got[read-1].Seq
	} else {
		all := make([]placed, 0, read)
		for _, m := range p.members {
			for _, ev := range m.got {
				if !ev.replaced {
					all = append(all, placed{ev, m})
				}
			}
		}
		slices.SortStableFunc(all, func(a, b placed) int { return cmp.Compare(a.Ts, b.Ts) })
		if n := p.fits(all); n < len(all) {
			all, out.HasMore = all[:n], true
		}
		for _, x := range all {
			out.Events = append(out.Events, x.sessionEvent)
			last[x.of] = x.Seq
		}
	}
	views := p.of.views
	for i, m := range p.members {
		next := m.next(views, last[m])
		if i == 0 {
			out.LastIndex = int(next.Seq) - 1
		}
		if told := output.EndsEarly(m.feed.Reader.Damage); told != "" {
			if i > 0 {
				told = "Session " + m.id + ": " + told
			}
			out.Damage = protocol.Head(strings.TrimSpace(out.Damage+" "+told), output.MaxReason)
		}
		if p.in.IncludeChildren {
			if out.Cursors == nil {
				out.Cursors = map[string]string{}
			}
			out.Cursors[m.id] = next.String()
			out.Reset = out.Reset || m.reset
		}
	}
}

// fits is how many events of several logs are no more than what was asked for.
func (p *poll) fits(all []placed) int {
	size := 0
	for i := range all {
		size += all[i].size()
		if i == p.in.MaxEvents || i > 0 && size > p.in.MaxBytes {
			return i
		}
	}
	return len(all)
}
