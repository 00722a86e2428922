package raw

import (
	"encoding/binary"
)

// An entry is a record in a block: a byte with its direction, its form and whether its time is absolute; its time (varint, Unix ms, or ms since the entry
// before); the incarnation, the batch and the length of its text (uvarint); and the text.
const (
	dirBits    = 0x07
	formShift  = 3
	formBits   = 0x18
	timeIsReal = 0x20
)

// appendEntry adds an entry. Of a line to the agent, large payloads are not kept.
func appendEntry(b []byte, it *item, last int64, first bool, text []byte) []byte {
	if it.dir == dirIn {
		text = elide(text)
	}
	mark, time := byte(it.dir)|byte(it.form)<<formShift, it.time-last
	if first {
		mark, time = mark|timeIsReal, it.time
	}
	b = append(b, mark)
	b = binary.AppendVarint(b, time)
	b = binary.AppendUvarint(b, uint64(it.incarnation))
	b = binary.AppendUvarint(b, it.batch)
	b = binary.AppendUvarint(b, uint64(len(text)))
	return append(b, text...)
}

// parseEntry reads the entry at the front; ok is false where there is none.
func parseEntry(b []byte, last int64) (it item, text, rest []byte, ok bool) {
	if len(b) == 0 || b[0]&dirBits >= byte(len(dirs)) || b[0]&formBits>>formShift > byte(changed) {
		return it, nil, nil, false
	}
	it.dir, it.form = dir(b[0]&dirBits), form(b[0]&formBits>>formShift)
	if b[0]&timeIsReal != 0 {
		last = 0
	}
	time, n := binary.Varint(b[1:])
	if n <= 0 {
		return it, nil, nil, false
	}
	b, it.time = b[1+n:], last+time
	var numbers [3]uint64
	for i := range numbers {
		if numbers[i], n = binary.Uvarint(b); n <= 0 {
			return it, nil, nil, false
		}
		b = b[n:]
	}
	it.incarnation, it.batch = uint32(numbers[0]), numbers[1]
	if numbers[2] > uint64(len(b)) {
		return it, nil, nil, false
	}
	return it, b[:numbers[2]], b[numbers[2]:], true
}
