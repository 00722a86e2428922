package protocol

import "bytes"

// Overflow is a part of a text that grows on beyond what the log keeps of it, for whoever reads live (spec §7.18). It is no event: it has no number,
// and nothing
// of it is kept.
type Overflow struct {
	EntryID string `json:"entryId"` // the open entry whose text it is
	Ts      int64  `json:"ts"`      // Unix milliseconds
	Offset  int64  `json:"offset"`  // how many bytes of the same text came before: of what is kept, and of what has overflowed
	Delta   Delta  `json:"delta"`   // text_append or arguments_append: what comes next
}

func (*Overflow) message() {}

// TypeOverflow is the type of an Overflow on the wire.
const TypeOverflow Type = "overflow"

func (o *Overflow) code(c *coder) {
	c.str("entryId", &o.EntryID)
	c.int64("ts", &o.Ts)
	c.int64("offset", &o.Offset)
	codeDelta(c, &o.Delta)
}

// Size is how many bytes of text it has.
func (o *Overflow) Size() int { return len(o.text()) }

func (o *Overflow) text() string {
	switch d := o.Delta.(type) {
	case *TextAppend:
		return d.Text
	case *ArgumentsAppend:
		return d.Text
	default:
		return "" // no other delta overflows
	}
}

// with is an overflow of the same text with another part of it.
func (o *Overflow) with(offset int64, part string) *Overflow {
	other := *o
	other.Offset, other.Delta = offset, &TextAppend{Text: part}
	if _, is := o.Delta.(*ArgumentsAppend); is {
		other.Delta = &ArgumentsAppend{Text: part}
	}
	return &other
}

// Cut gives the first part of an overflow, of at most n bytes of text, and what is left; both are nil where o is. n has room for a character.
func (o *Overflow) Cut(n int) (first, rest *Overflow) {
	if o == nil || o.Size() <= n {
		return o, nil
	}
	text := o.text()
	part := Head(text, n)
	return o.with(o.Offset, part), o.with(o.Offset+int64(len(part)), text[len(part):])
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
