package protocol

import "bytes"

// Overflow is a part of a text that grows on beyond what the log keeps of it, for whoever reads live (spec §7.18). It is no event: it has no number,
// and nothing
// of it is kept.
type Overflow struct {
	EntryID string `json:"entryId"` // the open entry whose text it is
	Ts      int64  `json:"ts"`      // Unix milliseconds
	At      int64  `json:"at"`      // how many bytes of the same text came before: of what is kept, and of what has overflowed
	Delta   Delta  `json:"delta"`   // text_append or arguments_append: what comes next
}

func (*Overflow) message() {}

// TypeOverflow is the type of an Overflow on the wire.
const TypeOverflow Type = "overflow"

func (o *Overflow) code(c *coder) {
	c.str("entryId", &o.EntryID)
	c.int64("ts", &o.Ts)
	c.int64("at", &o.At)
	codeDelta(c, &o.Delta)
}

// Size is how many bytes of text it has.
func (o *Overflow) Size() int {
	switch d := o.Delta.(type) {
	case *TextAppend:
		return len(d.Text)
	case *ArgumentsAppend:
		return len(d.Text)
	default:
		return 0
	}
}

// Cut gives the first part of an overflow, of at most n bytes of text, which are some, and what is left; both are nil where o is.
func (o *Overflow) Cut(n int) (first, rest *Overflow) {
	if o == nil {
		return nil, nil
	}
	head, tail := *o, *o
	switch d := o.Delta.(type) {
	case *TextAppend:
		if len(d.Text) > n {
			text := Head(d.Text, n)
			head.Delta, tail.Delta = &TextAppend{Text: text}, &TextAppend{Text: d.Text[len(text):]}
			tail.At += int64(len(text))
			return &head, &tail
		}
	case *ArgumentsAppend:
		if len(d.Text) > n {
			text := Head(d.Text, n)
			head.Delta, tail.Delta = &ArgumentsAppend{Text: text}, &ArgumentsAppend{Text: d.Text[len(text):]}
			tail.At += int64(len(text))
			return &head, &tail
		}
	default: // no other delta overflows
	}
	return o, nil
}

const overflowHead = `{"type":"overflow"`

// AppendOverflow adds an overflow as a line of JSON, without a newline.
func AppendOverflow(b []byte, o *Overflow) []byte {
	c := newCoder()
	defer c.release()
	c.out = append(b, overflowHead...) //nolint:gocritic // given back below
	c.comma = true
	o.code(c)
	return append(c.out, '}')
}

// AppendMergedOverflow adds a line of AppendOverflow as a merged stream has it: it names the session.
func AppendMergedOverflow(b []byte, sessionID string, line []byte) []byte {
	b = append(b, overflowHead...)
	b = append(b, `,"sessionId":"`...)
	b = append(b, sessionID...)
	b = append(b, '"')
	return append(b, bytes.TrimPrefix(line, []byte(overflowHead))...)
}
