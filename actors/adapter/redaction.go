package adapter

import (
	"bytes"

	"github.com/ringmaster-agents/ringmaster/actors/secret"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// redaction masks the daemon's tokens in the drafts of a connection. Whole tokens are masked in its lines before; redaction finds those that come in
// pieces, one in each line, and that the translator puts together.
type redaction struct {
	tokens  *secret.Tokens
	streams *secret.Streams
}

func newRedaction(t *secret.Tokens) *redaction { return &redaction{t, t.Streams()} }

// line is a line to the agent, as the archive has it.
func (r *redaction) line(line []byte) []byte {
	if r.tokens.May(line) {
		line = bytes.Clone(line)
		r.tokens.Mask(line)
	}
	return line
}

// Texts of one entry that grow each by itself.
const (
	ofText = iota
	ofArguments
	ofSummary
	texts
)

// drafts masks tokens in the drafts that the translator made of a line, and the same pieces in the line itself, which goes to the archive.
func (r *redaction) drafts(drafts []adapters.Draft, line []byte) {
	for i := 0; i < len(drafts); i++ {
		if i+1 < len(drafts) && r.halves(drafts[i:i+2], line) {
			i++
			continue
		}
		switch d := drafts[i].(type) {
		case adapters.EntryOpened:
			if data := r.data(d.Key, d.Data); data != d.Data {
				d.Data = data
				drafts[i] = d
			}
		case adapters.EntryChanged:
			if delta := r.delta(d.Key, d.Delta, line); delta != d.Delta {
				d.Delta = delta
				drafts[i] = d
			}
		case adapters.EntryOverflow:
			if delta := r.delta(d.Key, d.Delta, line); delta != d.Delta {
				d.Delta = delta
				drafts[i] = d
			}
		case adapters.EntryClosed:
			for of := range uint64(texts) {
				r.streams.Over(uint64(d.Key)*texts + of)
			}
			if data := r.data(0, d.Data); data != d.Data {
				d.Data = data
				drafts[i] = d
			}
		default:
		}
	}
}

// halves masks tokens in a piece of a text of which the log keeps the first half and the rest overflows: a token may stand in both. false: these two
// drafts are no such halves.
func (r *redaction) halves(two []adapters.Draft, line []byte) bool {
	kept, is := two[0].(adapters.EntryChanged)
	if !is {
		return false
	}
	over, is := two[1].(adapters.EntryOverflow)
	if !is || kept.Key != over.Key {
		return false
	}
	first, head, of := piece(kept.Delta)
	rest, tail, alike := piece(over.Delta)
	if head == nil || tail == nil || of != alike {
		return false
	}
	if _, anew := first.(*protocol.TextSet); anew {
		r.streams.Over(uint64(kept.Key)*texts + of)
	}
	clean := r.next(kept.Key, of, *head+*tail, line)
	*head, *tail = clean[:len(*head)], clean[len(*head):]
	kept.Delta, over.Delta = first, rest
	two[0], two[1] = kept, over
	return true
}

// piece is a copy of a delta that adds to a text, what it adds, and to which of an entry's texts; nil: it adds to none.
func piece(d protocol.Delta) (other protocol.Delta, text *string, of uint64) {
	switch d := d.(type) {
	case *protocol.TextAppend:
		c := *d
		return &c, &c.Text, ofText
	case *protocol.TextSet:
		c := *d
		return &c, &c.Text, ofText
	case *protocol.ArgumentsAppend:
		c := *d
		return &c, &c.Text, ofArguments
	default:
		return nil, nil, 0
	}
}

// next is the next piece of an entry's text; key 0: it is the whole.
func (r *redaction) next(key adapters.EntryKey, of uint64, piece string, line []byte) string {
	if key == 0 {
		return r.tokens.Text(piece)
	}
	clean := r.streams.Next(uint64(key)*texts+of, piece)
	if clean != piece {
		secret.Also(line, piece, clean)
	}
	return clean
}

func (r *redaction) delta(key adapters.EntryKey, delta protocol.Delta, line []byte) protocol.Delta {
	switch d := delta.(type) {
	case *protocol.TextAppend:
		return with(d, func(d *protocol.TextAppend) *string { return &d.Text }, r.next(key, ofText, d.Text, line))
	case *protocol.ArgumentsAppend:
		return with(d, func(d *protocol.ArgumentsAppend) *string { return &d.Text }, r.next(key, ofArguments, d.Text, line))
	case *protocol.SummaryAppend:
		return with(d, func(d *protocol.SummaryAppend) *string { return &d.Text }, r.next(key, ofSummary, d.Text, line))
	case *protocol.StatusChange:
		return with(d, func(d *protocol.StatusChange) *string { return &d.Output }, r.next(key, ofText, d.Output, line))
	case *protocol.TextSet:
		r.streams.Over(uint64(key)*texts + ofText)
		return with(d, func(d *protocol.TextSet) *string { return &d.Text }, r.next(key, ofText, d.Text, line))
	default:
	}
	return delta
}

// with is what has a text, with a clean one: itself where it is the same.
func with[T any](of *T, text func(*T) *string, clean string) *T {
	if *text(of) == clean {
		return of
	}
	other := *of
	*text(&other) = clean
	return &other
}

// data is the data of an entry without tokens. With a key its texts go on.
func (r *redaction) data(key adapters.EntryKey, data protocol.EntryData) protocol.EntryData {
	switch d := data.(type) {
	case *protocol.MessageData:
		return with(d, func(d *protocol.MessageData) *string { return &d.Text }, r.next(key, ofText, d.Text, nil))
	case *protocol.ThinkingData:
		clean := r.next(key, ofText, d.Text, nil)
		summary := make([]string, len(d.Summary))
		same := clean == d.Text
		for i, s := range d.Summary {
			summary[i] = r.tokens.Text(s)
			same = same && summary[i] == s
		}
		if !same {
			other := *d
			other.Text, other.Summary = clean, summary
			return &other
		}
	case *protocol.ToolCallData:
		arguments, output := r.next(key, ofArguments, d.Arguments, nil), r.next(key, ofText, d.Output, nil)
		command, diff := r.tokens.Text(d.Command), r.tokens.Text(d.Diff)
		if arguments != d.Arguments || output != d.Output || command != d.Command || diff != d.Diff {
			other := *d
			other.Arguments, other.Output, other.Command, other.Diff = arguments, output, command, diff
			return &other
		}
	case *protocol.ToolResultData:
		return with(d, func(d *protocol.ToolResultData) *string { return &d.Output }, r.next(key, ofText, d.Output, nil))
	default: // their texts come in one line each, where tokens were masked before
	}
	return data
}
