// Package delta says a line as what it has other than the line before it. Agents that repeat a whole message with each word of it cost the words.
//
// A delta is a run of steps: three numbers (uvarint), COPY SKIP INSERT, and INSERT bytes. A step takes COPY bytes of the line before, passes over SKIP of it,
// and goes on with the bytes. The line before is gone through once, from its beginning.
package delta

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/bits"
	"slices"
)

const (
	// short is the length in bytes up to which a line differs in one place: looking for more costs more than it saves.
	short = 1 << 10
	// maxSteps bounds the places of a longer line.
	maxSteps = 64
	// least is how many bytes must be equal before they count as what the line before had there.
	least = 16
)

// Append adds to b what the line has other than the line before. Where that is not worth it, b comes back as it was, and ok is false.
func Append(b, before, line []byte) (out []byte, ok bool) {
	most := len(b) + len(line) - len(line)/4
	for out, step := b, 0; ; step++ {
		same := common(line, before)
		line, before = line[same:], before[same:]
		skip, insert := 0, 0
		if len(line) > 0 {
			skip, insert = next(before, line, step)
		}
		out = binary.AppendUvarint(out, uint64(same))
		out = binary.AppendUvarint(out, uint64(skip))
		out = binary.AppendUvarint(out, uint64(insert))
		if len(out)+insert > most {
			return b, false
		}
		out = append(out, line[:insert]...)
		if line, before = line[insert:], before[skip:]; len(line) == 0 {
			return out, true
		}
	}
}

// next says where two lines that differ here are equal again: after so many bytes of each. Where they never are, that is all of both.
func next(before, line []byte, step int) (skip, insert int) {
	if len(line) > short && step < maxSteps {
		var few [1 << 10]int16
		if skip, insert, ok := meet(before, line, len(few)/4, few[:]); ok {
			return skip, insert
		}
		var many [1 << 13]int16
		if skip, insert, ok := meet(before, line, len(many)/2, many[:]); ok {
			return skip, insert
		}
	}
	if n := commonEnd(line, before); n >= least || len(line) <= short && n > 3 {
		return len(before) - n, len(line) - n
	}
	return len(before), len(line)
}

// meet looks so far ahead in both lines, for where the least of both is passed over: text often has the same words in many places. At is zero; it is for
// the places of the line before, whose length is a power of two.
func meet(before, line []byte, far int, at []int16) (skip, insert int, ok bool) {
	bits := 64 - bits.Len(uint(len(at)-1))
	hash := func(b []byte) uint64 { return binary.LittleEndian.Uint64(b) * 0x9e3779b97f4a7c15 >> bits }
	for i := min(far, len(before)-least); i >= 0; i-- { // the first of several stays
		at[hash(before[i:])] = int16(i + 1)
	}
	best := 2*far + 1
	for i := 0; i <= min(far, len(line)-least, best-1); i++ {
		p := int(at[hash(line[i:])]) - 1
		if p >= 0 && i+p < best && bytes.Equal(before[p:p+least], line[i:i+least]) {
			skip, insert, best = p, i, i+p
		}
	}
	return skip, insert, best <= 2*far
}

// common is how many bytes two texts begin with alike.
func common(a, b []byte) (n int) {
	most := min(len(a), len(b))
	for far := 64; n+far <= most && bytes.Equal(a[n:n+far], b[n:n+far]); far = min(2*far, 4<<10) {
		n += far
	}
	for ; n+8 <= most; n += 8 {
		if x := binary.LittleEndian.Uint64(a[n:]) ^ binary.LittleEndian.Uint64(b[n:]); x != 0 {
			return n + bits.TrailingZeros64(x)/8
		}
	}
	for n < most && a[n] == b[n] {
		n++
	}
	return n
}

// commonEnd is how many bytes two texts end with alike.
func commonEnd(a, b []byte) (n int) {
	most := min(len(a), len(b))
	for ; n+8 <= most; n += 8 {
		if x := binary.LittleEndian.Uint64(a[len(a)-n-8:]) ^ binary.LittleEndian.Uint64(b[len(b)-n-8:]); x != 0 {
			return n + bits.LeadingZeros64(x)/8
		}
	}
	for n < most && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}

// ErrBroken says that a text is no delta of that line.
var ErrBroken = errors.New("no delta of the line before")

// Expand adds the line to b. The line must not be longer than most. The only error is ErrBroken.
func Expand(b, before, text []byte, most int) ([]byte, error) {
	from := len(b)
	for len(text) > 0 {
		var step [3]int
		for i := range step {
			v, n := binary.Uvarint(text)
			if n <= 0 || v > uint64(most) {
				return b[:from], ErrBroken
			}
			step[i], text = int(v), text[n:]
		}
		same, skip, insert := step[0], step[1], step[2]
		if same+skip > len(before) || insert > len(text) || len(b)-from+same+insert > most {
			return b[:from], ErrBroken
		}
		b = slices.Grow(b, same+insert)
		b = append(append(b, before[:same]...), text[:insert]...)
		before, text = before[same+skip:], text[insert:]
	}
	return b, nil
}
