package protocol

import (
	"fmt"
	"strconv"
)

// Limits of one event (spec §3.2).
const (
	MaxEvent   = 16 << 20 // bytes of one line
	MaxDepth   = 64       // nesting of objects and arrays
	MaxMembers = 1 << 16  // members of an object and of those around it; elements of an array that the spec names
)

// SyntaxError says what is wrong with a line.
type SyntaxError struct {
	Offset  int    // bytes into the line, where known
	Path    string // JSON pointer of the member, where known
	Problem string
}

func (e *SyntaxError) Error() string {
	if e.Path != "" {
		return fmt.Sprintf("event: %s: %s", e.Path, e.Problem)
	}
	return fmt.Sprintf("event: byte %d: %s", e.Offset, e.Problem)
}

// Append encodes an event as one line of JSON, without the newline, after b. The members are in the order of the spec, so
// that one event has one encoding.
func Append(b []byte, e *Event) []byte {
	c := newCoder()
	defer c.release()
	b = append(b, `{"seq":`...)
	b = strconv.AppendUint(b, e.Seq, 10)
	b = append(b, `,"ts":`...)
	b = strconv.AppendInt(b, e.Time, 10)
	b = append(b, `,"type":`...)
	c.out = appendString(b, string(e.Payload.Type()))
	c.comma = true
	e.Payload.code(c)
	c.rest(&e.Extra)
	return append(c.out, '}')
}

// Decode reads one line of the log. Unknown types and members are kept (spec §3.2); a known type whose members have the
// wrong JSON types is a *SyntaxError, as is anything that RFC 8259 does not allow, a duplicate key, invalid UTF-8, an
// unpaired surrogate and a line over the limits. The event keeps no part of line.
func Decode(line []byte) (Event, error) {
	c, t, err := decoder(line)
	if err != nil {
		return Event{}, err
	}
	defer c.release()
	return c.event(t)
}

// Compact checks a JSON value as Decode does and returns a copy of it without white space, as it may stand in a line: for
// native events that go into the log as they are (SystemData.Raw). The error is a *SyntaxError.
func Compact(value []byte) ([]byte, error) {
	if len(value) > MaxEvent {
		return nil, &SyntaxError{Offset: MaxEvent, Problem: "longer than the limit"}
	}
	if err := check(value, rawDepth); err != nil {
		return nil, err
	}
	return compact(value), nil
}

// rawDepth is how deep a value inside the data of an entry may be.
const rawDepth = MaxDepth - 2

// decoder checks a line and opens its object. The coder must be released.
func decoder(line []byte) (*coder, Type, error) {
	if len(line) > MaxEvent {
		return nil, "", &SyntaxError{Offset: MaxEvent, Problem: "longer than the limit"}
	}
	if err := check(line, MaxDepth); err != nil {
		return nil, "", err
	}
	object := line[skipBlank(line, 0):]
	if object[0] != '{' {
		return nil, "", &SyntaxError{Problem: "want an object"}
	}
	c := newCoder()
	c.dec = true
	c.fields = split(c.fields, object)
	c.in = c.fields
	t := Type(c.word("type", eventTypes))
	if c.err != nil {
		defer c.release()
		return nil, "", c.err
	}
	return c, t, nil
}

// eventTypes are the names of the types, so that reading one makes no new string.
var eventTypes = func() map[string]string {
	m := make(map[string]string)
	for _, t := range append(Types(), TypeHeartbeat, TypeReset, TypeDamage, TypeOverflow) {
		m[string(t)] = string(t)
	}
	return m
}()

// event reads the event whose type was read.
func (c *coder) event(t Type) (Event, error) {
	var e Event
	c.uint("seq", &e.Seq)
	c.int64("ts", &e.Time)
	if c.err == nil && e.Seq == 0 {
		c.fail("seq", "a number from 1")
	}
	if e.Payload = newPayload(t); e.Payload == nil {
		e.Payload = &Unknown{Name: t}
	}
	e.Payload.code(c)
	e.Extra = c.left()
	if c.err != nil {
		return Event{}, c.err
	}
	return e, nil
}
