// Package block is the form in which records lie in files: blocks behind one another, each with the numbers of its records, its own checksums, and a text
// that may be compressed. What is torn at the end of a file, or damaged inside, costs the blocks that it is in.
//
// # Form
//
// A block is a head of 36 bytes, numbers in little-endian order, and a payload:
//
//	 0  4 bytes  "RMA2": these are blocks, and of version 2 (version 1 were files of lines)
//	 4  1 byte   coding of the payload: 0 as it is, 1 zstd, 2 S2; 3 bytes of zeros follow
//	 8  uint64   number of the first record
//	16  uint32   how many records
//	20  uint32   bytes of the text
//	24  uint32   bytes of the payload
//	28  uint32   CRC-32C of the payload
//	32  uint32   CRC-32C of what is before
package block

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"slices"
)

const (
	magic    = "RMA2"
	headSize = 36
)

// Coding is what was done to a text.
type Coding byte

// The codings of a text.
const (
	Plain Coding = iota // nothing
	Small               // zstd
	Fast                // S2: three times as fast, and a third larger
)

// MaxText bounds the text of a block that is read. A line has 8 MiB at most by the framer, and a line to the agent a few times that.
const MaxText = 128 << 20

// mostFirst is above the number of any record: clients read numbers from JSON, and some have 53 bits for them.
const mostFirst = 1 << 53

// mostMissing is above the number of records that were between two blocks where something is damaged.
const mostMissing = 1 << 32

// ErrDamaged says that a block is not what was written.
var ErrDamaged = errors.New("damaged block")

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Head says what a block has.
type Head struct {
	First  uint64 // number of its first record
	Count  uint32 // of records; 1 at least
	coding Coding
	text   uint32
	stored uint32
	sum    uint32
}

// End is the number behind the last record.
func (h *Head) End() uint64 { return h.First + uint64(h.Count) }

// Size is how many bytes the text has.
func (h *Head) Size() int64 { return int64(h.text) }

// Append adds a block to b. Its text is compressed as coding says, unless that makes it longer.
func Append(b []byte, first uint64, count uint32, text []byte, coding Coding) []byte {
	from := len(b)
	b = append(b, make([]byte, headSize)...)
	if coding != Plain {
		if b = compress(b, text, coding); len(b)-from-headSize >= len(text) {
			b, coding = b[:from+headSize], Plain
		}
	}
	if coding == Plain {
		b = append(b, text...)
	}
	head, payload := b[from:from+headSize], b[from+headSize:]
	copy(head, magic)
	head[4] = byte(coding)
	binary.LittleEndian.PutUint64(head[8:], first)
	binary.LittleEndian.PutUint32(head[16:], count)
	binary.LittleEndian.PutUint32(head[20:], uint32(len(text)))
	binary.LittleEndian.PutUint32(head[24:], uint32(len(payload)))
	binary.LittleEndian.PutUint32(head[28:], crc32.Checksum(payload, castagnoli))
	binary.LittleEndian.PutUint32(head[32:], crc32.Checksum(head[:32], castagnoli))
	return b
}

func parse(b []byte) (h Head, ok bool) {
	if len(b) < headSize || string(b[:4]) != magic || binary.LittleEndian.Uint32(b[32:]) != crc32.Checksum(b[:32], castagnoli) {
		return h, false
	}
	h = Head{
		First: binary.LittleEndian.Uint64(b[8:]), Count: binary.LittleEndian.Uint32(b[16:]), coding: Coding(b[4]),
		text: binary.LittleEndian.Uint32(b[20:]), stored: binary.LittleEndian.Uint32(b[24:]), sum: binary.LittleEndian.Uint32(b[28:]),
	}
	return h, h.First > 0 && h.First < mostFirst && h.Count > 0 && h.text <= MaxText && h.stored <= h.text
}

// Walk goes through the blocks of a file.
type Walk struct {
	file io.ReaderAt
	size int64 // where the file ends
	at   int64 // behind the block
	head Head
	body int64 // where its payload begins
	gap  bool

	payload []byte
	buf     []byte // for ahead
	read    []byte // of it: what was read of the file
	readAt  int64  // where that begins
}

// Over walks through so many bytes of a file.
func Over(file io.ReaderAt, size int64) *Walk { return &Walk{file: file, size: size} }

// Next goes to the next block whose head is right and whose payload is there; false: there is none. It does not look at the payload. Where no head is
// right, what looks like one further on may be the words of an agent in the text of a block: such a block must have higher numbers than those before, and
// not by far. Errors are those of the file.
func (w *Walk) Next() (*Head, bool, error) {
	w.gap = false
	var b [headSize]byte
	at := w.at
	for at+headSize <= w.size {
		if n, err := w.file.ReadAt(b[:], at); n < headSize {
			return nil, false, ended(err)
		}
		h, ok := parse(b[:])
		if body := at + headSize; ok && body+int64(h.stored) <= w.size && (!w.gap || h.First-w.head.End() < mostMissing) {
			w.head, w.body, w.at = h, body, body+int64(h.stored)
			return &w.head, true, nil
		}
		if at == w.at && ok {
			return nil, false, nil // the last block, torn
		}
		w.gap = true
		next, err := w.find(at + 1)
		if err != nil || next < 0 {
			return nil, false, err
		}
		at = next
	}
	return nil, false, nil
}

// find is where the magic comes next; -1: nowhere.
func (w *Walk) find(from int64) (int64, error) {
	for from+int64(len(magic)) <= w.size {
		b, err := w.ahead(from)
		if len(b) < len(magic) {
			return -1, ended(err)
		}
		if i := bytes.Index(b, []byte(magic)); i >= 0 {
			return from + int64(i), nil
		}
		from += int64(len(b) - len(magic) + 1)
	}
	return -1, nil
}

// ahead is what the file has from a place on, some of it. What was read once is not read again: the magic may be there many times.
func (w *Walk) ahead(from int64) ([]byte, error) {
	if skip := from - w.readAt; skip >= 0 && skip+int64(len(magic)) <= int64(len(w.read)) {
		return w.read[skip:], nil
	}
	if w.buf == nil {
		w.buf = make([]byte, 64<<10)
	}
	n, err := w.file.ReadAt(w.buf[:min(int64(len(w.buf)), w.size-from)], from)
	w.read, w.readAt = w.buf[:n], from
	return w.read, err
}

// End is where the last block ended that Next gave; 0: there was none.
func (w *Walk) End() int64 { return w.at }

// Lost says, when Next has found nothing more, that what follows the last block is not the beginning of one: nobody knows how many records it had.
func (w *Walk) Lost() bool { return w.gap }

// Text adds the text of the block that Next went to, to b. Errors are ErrDamaged and those of the file.
func (w *Walk) Text(b []byte) ([]byte, error) {
	w.payload = slices.Grow(w.payload[:0], int(w.head.stored))[:w.head.stored]
	payload := w.payload
	if n, err := w.file.ReadAt(payload, w.body); n < len(payload) {
		return b, errors.Join(ErrDamaged, ended(err))
	}
	if crc32.Checksum(payload, castagnoli) != w.head.sum {
		return b, ErrDamaged
	}
	from := len(b)
	switch w.head.coding {
	case Plain:
		b = append(b, payload...)
	case Small, Fast:
		more, err := expand(b, payload, w.head.text, w.head.coding)
		if err != nil {
			return b, errors.Join(ErrDamaged, err) // a decoder may give nothing back then
		}
		b = more
	}
	if uint32(len(b)-from) != w.head.text {
		return b[:from], ErrDamaged
	}
	return b, nil
}

// ended is an error of the file that is no end of it.
func ended(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}
