package session

import (
	"maps"
	"sort"
)

func (a *shell) summary() Summary {
	s := a.core.Summary()
	s.ID = a.cfg.ID
	if a.ring != nil { // what is not shown is not the newest event: its cursor would be one of the future
		s.Seq = min(s.Seq, a.ring.Head())
	}
	s.ReadOnly = a.broken != nil || a.damage != nil
	s.Damage = DamageOf(a.damage)
	return s
}

// Summary is what a list shows.
func (s *logged) Summary() Summary {
	sum := Summary{
		ID: s.id, Agent: s.agent, Cwd: s.meta.Cwd, Title: s.meta.Title, FirstPrompt: s.first,
		Model: s.meta.Model, AskedModel: s.settings.asked, Mode: s.settings.mode,
		Labels: maps.Clone(s.meta.Labels), NativeSessionID: s.nativeID, AgentVersion: s.version,
		ParentSessionID: s.meta.ParentSessionID, Created: unixMilli(s.created), Updated: unixMilli(s.time),
		Epoch: s.epoch, Seq: s.seq, Status: s.status, Turns: s.turns,
		SubAgent: s.meta.SubAgent, Spawned: s.meta.Spawned, MCP: s.meta.MCP, Owner: s.meta.Owner, Via: s.meta.Via,
		Policy: s.policy, PendingModel: s.settings.waiting[SettingModel], PendingMode: s.settings.waiting[SettingMode],
	}
	if s.end != nil {
		sum.EndError, sum.EndHint = s.end.Error, s.end.Hint
	}
	return sum
}

// look answers Describe. What it shows is safe: like every answer it waits for the steps before it. Only while the journal does not
// work, which may last, it is ahead of the log.
func (a *shell) look(m *Describe) {
	d := a.describe()
	n := len(a.commits)
	if n == 0 || a.broken != nil {
		m.Send(d)
		return
	}
	d.Seq = a.commits[n-1].seq
	a.after([]Effect{Answer{func() { m.Send(d) }, m}})
}

func (a *shell) describe() Description {
	d := Description{Summary: a.summary(), Starting: a.core.link.starting(), Usage: a.core.usage, Cost: a.core.cost}
	for _, q := range a.core.queue.waiting {
		d.Queue = append(d.Queue, q.QueuedPrompt)
	}
	d.Requests = a.core.requests.list()
	head := a.ring.Head()
	for r := range a.readers {
		seq := r.seq.Load()
		d.Readers = append(d.Readers, ReaderInfo{Name: r.Name, Seq: seq, Behind: head - min(head, seq), Since: r.joined})
	}
	sort.Slice(d.Readers, func(i, j int) bool { return d.Readers[i].Since.Before(d.Readers[j].Since) })
	return d
}
