package fold

import (
	"context"
	"encoding/json"
	"io"
	"slices"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/api/reading"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// folded is a log folded up to an event, on its way to a client. A small one is encoded as a whole. Of a large one there is only the frame in
// memory, whatever is sent and however slowly the client reads: the texts stay in the log, and are read from there again when it is their turn.
type folded struct {
	share  *share
	log    store.Log
	damage *protocol.Damage
	at     uint64

	pieces [][]byte // of a small one; nil: it is large

	state protocol.SessionState
	long  map[any]uint64 // entries and turns that lack their texts: the number of the line that has them
	lines *store.Lines   // where the newest of them was read; nil: nowhere
	most  Bounds
	cut   bool // a text was longer

	began map[string]bool // of a page: the turns that began in its part; nil: it is none
	more  []byte          // of a page: which part it is
}

// fold reads the log up to an event. A client that leaves ends it. The state must be closed.
func (s *States) fold(ctx context.Context, r *session.Reader, at uint64) (*folded, error) {
	b, err := beginningOf(r, at)
	if err != nil {
		return nil, err
	}
	return s.run(ctx, r, run{b.oldest - 1, at, at, false, b.dropped}, func(*folded) error { return nil })
}

// run folds a part of a log, and has the state made what is to be sent.
func (s *States) run(ctx context.Context, r *session.Reader, part run, become func(*folded) error) (_ *folded, err error) {
	size, err := logSize(r.Log, part.since, part.upTo)
	if err != nil {
		return nil, err
	}
	share, err := s.memory.begin(ctx, size)
	if err != nil {
		return nil, err
	}
	f := &folded{share: share, log: r.Log, damage: r.Damage, at: part.at}
	if part.page {
		f.began = map[string]bool{}
	}
	if part.on != nil {
		f.state = part.on.Clone().State
	}
	done := false
	defer func() {
		if !done { // it failed, or panicked
			f.close()
		}
	}()
	release, err := s.encoders.Slot(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	if size >= s.memory.Large {
		f.long = map[any]uint64{}
	}
	err = reading.EachLine(r.Log, part.since, part.upTo, func(line []byte) error {
		if f.state.Seq%1024 == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if s := &f.state; !part.page && len(s.Entries)+len(s.Turns)+len(s.Requests) > share.of.Elements {
			return errLong
		}
		return f.apply(line, max(f.state.Seq, part.since)+1)
	})
	if err == nil {
		err = become(f)
	}
	if err == nil && f.long == nil {
		err = f.encode()
	}
	if err != nil {
		return nil, err
	}
	if f.whole() {
		share.made(length(f.pieces))
	} else {
		share.made(int(size))
	}
	done = true
	return f, nil
}

// apply takes a line, which should have this number.
func (f *folded) apply(line []byte, seq uint64) error {
	e, err := protocol.Decode(line)
	if err != nil {
		return f.log.Damaged(seq, err.Error())
	}
	return f.take(&e, len(line))
}

// take takes the event of a line that has so many bytes.
func (f *folded) take(e *protocol.Event, size int) error {
	if p, is := e.Payload.(*protocol.TurnStart); is && f.began != nil {
		f.began[p.TurnID] = true
	}
	if f.long == nil {
		f.state.Apply(e)
		return nil
	}
	if p, is := e.Payload.(*protocol.EntryDelta); is { // of an entry that began with a long text, or has ended
		if x := f.state.Entry(p.EntryID); x != nil {
			if err := f.load(x); err != nil {
				return err
			}
			delete(f.long, x)
		}
	}
	f.state.Apply(e)
	f.shorten(e, size >= f.share.of.Long)
	return nil
}

// shorten lets go of what an event has brought that is long.
func (f *folded) shorten(e *protocol.Event, long bool) {
	entry := func(id string, t protocol.EntryType) {
		x := f.state.Entry(id)
		if delete(f.long, x); long {
			x.Data, f.long[x] = protocol.NewEntryData(t), e.Seq
		}
	}
	switch p := e.Payload.(type) {
	case *protocol.EntryStart:
		entry(p.EntryID, p.EntryType)
	case *protocol.EntryEnd:
		entry(p.EntryID, p.EntryType)
	case *protocol.TurnStart:
		t := f.state.Turn(p.TurnID)
		if delete(f.long, t); long && p.Prompt != nil {
			t.Prompt, f.long[t] = nil, e.Seq
		}
	default:
	}
}

// part completes an element of a list that is to be sent.
func (f *folded) part(part any) error {
	err := f.load(part)
	delete(f.long, part) // which would keep it
	if err != nil || f.most.Text == 0 {
		return err
	}
	shorten := func(text *string) {
		if text != nil && len(*text) > f.most.Text {
			*text, f.cut = f.most.Shorten(*text, f.most.Text), true
		}
	}
	switch x := part.(type) {
	case *protocol.EntryState:
		shorten(protocol.TextOf(x.Data))
		if call, is := x.Data.(*protocol.ToolCallData); is {
			shorten(&call.Arguments)
		}
	case *protocol.TurnState:
		if x.Prompt != nil {
			shorten(&x.Prompt.Text)
		}
	}
	return nil
}

// load completes an entry or a turn whose text has stayed in the log.
func (f *folded) load(part any) error {
	seq, long := f.long[part]
	if !long {
		return nil
	}
	line, err := f.line(seq)
	if err != nil {
		return err
	}
	e, err := protocol.Decode(line)
	if err != nil {
		return f.log.Damaged(seq, err.Error())
	}
	switch x := part.(type) {
	case *protocol.EntryState:
		switch p := e.Payload.(type) {
		case *protocol.EntryStart:
			x.Data = protocol.CopyData(p.EntryType, p.Data)
		case *protocol.EntryEnd:
			x.Data = p.Data
		default:
		}
	case *protocol.TurnState:
		if p, is := e.Payload.(*protocol.TurnStart); is {
			x.Prompt = p.Prompt
		}
	}
	return nil
}

// ahead is how many lines are passed over, rather than looked up.
const ahead = 64

// line is a line of the log, valid until the next. They are asked for nearly in order.
func (f *folded) line(seq uint64) ([]byte, error) {
	if f.lines != nil && (seq <= f.lines.Seq() || seq > f.lines.Seq()+ahead) {
		f.lines.Close()
		f.lines = nil
	}
	if f.lines == nil {
		lines, err := store.LinesOf(f.log, seq-1, f.at)
		if err != nil {
			return nil, err
		}
		f.lines = lines
	}
	for f.lines.Next() {
		if f.lines.Seq() == seq {
			return f.lines.Line(), nil
		}
	}
	if err := f.lines.Err(); err != nil {
		return nil, err
	}
	return nil, f.log.Damaged(seq, "the line is not there")
}

func (f *folded) whole() bool { return f.pieces != nil }

// encode makes all pieces of it.
func (f *folded) encode() error {
	return f.stream(func(b []byte) error {
		f.pieces = append(f.pieces, slices.Clone(b))
		return nil
	})
}

// stream gives the pieces, each valid until the next.
func (f *folded) stream(write func([]byte) error) error {
	end, err := f.state.Stream(f.part, write)
	if err != nil {
		return err
	}
	if f.more != nil {
		end = append(append(end[:len(end)-1], `,"part":`...), f.more...)
		end = append(end, '}')
	}
	if f.damage != nil {
		damage, err := json.Marshal(f.damage)
		if err != nil {
			return err
		}
		end = append(append(end[:len(end)-1], `,"damage":`...), damage...)
		end = append(end, '}')
	}
	return write(append(end, '\n'))
}

// send writes the state, at the client's pace.
func (f *folded) send(w io.Writer) error {
	if !f.whole() {
		return f.stream(func(b []byte) error { return send(w, b) })
	}
	for _, b := range f.pieces {
		if err := send(w, b); err != nil {
			return err
		}
	}
	return nil
}

func (f *folded) close() {
	if f.lines != nil {
		f.lines.Close()
	}
	f.share.end()
}
