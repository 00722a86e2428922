package mirror

import (
	"sort"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/actors/session/core"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// fold is what a log tells up to an event. While a goroutine carries it on, it is that one's.
type fold struct {
	state *core.State
	epoch uint64 // of the log, in which nothing of it is lost again
	seq   uint64
}

// tell answers those that ask what there is to tell, once the log has told it.
func (k *keeper) tell() {
	if k.log == nil || k.folding || len(k.looks) == 0 {
		return
	}
	if k.log.oldest > 1 { // the log alone does not tell it
		k.describe(nil)
		return
	}
	newest := k.log.newest.Load()
	so := k.fold
	if so == nil || so.epoch != k.log.epoch || so.seq > newest {
		so = &fold{state: core.New(k.cfg.ID, &session.Limits{}), epoch: k.log.epoch}
	}
	if so.seq == newest {
		k.fold = so
		k.describe(so.state)
		return
	}
	k.folding = true
	l, self := k.log, k.mirror
	k.fold = nil
	go func() { // ends with the log, with Core's answer, or with its time
		err := so.on(l, newest)
		self.own.Send(&folded{of: l, so: so, err: err})
	}()
}

// on carries the fold on to an event.
func (f *fold) on(l *log, upTo uint64) error {
	lines, err := store.LinesOf(l, f.seq, upTo)
	if err != nil {
		return err
	}
	defer lines.Close()
	for lines.Next() {
		e, err := protocol.Decode(lines.Line())
		if err != nil {
			return l.Damaged(lines.Seq(), err.Error())
		}
		f.state.Replay(&e)
		f.seq = lines.Seq()
	}
	return lines.Err()
}

// knows takes the fold.
func (k *keeper) knows(m *folded) {
	if m.err == nil {
		k.fold = m.so
	}
	switch {
	case m.of != k.log: // it was begun anew meanwhile
		if len(k.looks) > 0 {
			k.load()
			k.tell()
		}
	case m.err == nil:
		k.doubted = false
		k.describe(m.so.state)
	case session.Doubts(m.err) && !k.doubted:
		k.doubted = true
		k.restart()
		k.load()
	default:
		k.doubted = false
		for _, l := range k.looks {
			l.Fail(m.err)
		}
		k.looks = nil
		k.forget()
	}
}

// describe answers with what was told of the session, and what its log tells; state is nil where that is not known.
func (k *keeper) describe(state *core.State) {
	sum := k.cfg.Told()
	d := session.Description{Summary: sum}
	if state != nil {
		d = state.Description()
		d.Summary = merge(sum, d.Summary)
	}
	head := k.log.newest.Load()
	d.ID, d.Epoch, d.Seq = k.cfg.ID, k.log.epoch, head
	for r := range k.readers {
		d.Readers = append(d.Readers, r.Info(head))
	}
	sort.Slice(d.Readers, func(i, j int) bool { return d.Readers[i].Since.Before(d.Readers[j].Since) })
	for _, m := range k.looks {
		m.Send(d)
	}
	k.looks = nil
	k.forget()
}

// merge takes what a log tells, where it is ahead of what was told, and what no log tells.
func merge(told, log session.Summary) session.Summary {
	if told.Epoch == log.Epoch && told.Seq >= log.Seq {
		told.Open, told.Turn, told.Prompts = log.Open, log.Turn, log.Prompts
		return told
	}
	log.Owner, log.Via, log.ParentSessionID, log.SubAgent, log.Spawned = told.Owner, told.Via, told.ParentSessionID, told.SubAgent, told.Spawned
	log.Created, log.MCP, log.Pinned, log.Node = told.Created, told.MCP, told.Pinned, told.Node
	log.Unreachable, log.Forwarded = told.Unreachable, told.Forwarded
	return log
}
