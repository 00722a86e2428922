package journal

import (
	"encoding/binary"
	"hash/crc32"
	"strconv"
	"strings"
)

// Sizes of the index, in bytes (FORMAT.md).
const (
	headerSize = 64
	recordSize = 64
)

const (
	magic   = "RMJINDEX"
	version = 1
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// header begins an index. Its length, magic, version and checksum keep their places in every version.
type header struct {
	epoch uint64
	first uint64 // seq of the segment's first event
	prev  uint64 // ordinal of the segment before; 0: this is the first
	valid int64  // bytes of the segment before that count
}

func (h header) encode() []byte {
	b := make([]byte, headerSize)
	copy(b, magic)
	le := binary.LittleEndian
	le.PutUint32(b[8:], version)
	le.PutUint64(b[16:], h.epoch)
	le.PutUint64(b[24:], h.first)
	le.PutUint64(b[32:], h.prev)
	le.PutUint64(b[40:], uint64(h.valid))
	le.PutUint32(b[60:], crc32.Checksum(b[:60], castagnoli))
	return b
}

// decodeHeader reads a header. When ok is false the bytes are no header. h is valid only where ver is the version that this build
// knows.
func decodeHeader(b []byte) (h header, ver uint32, ok bool) {
	if len(b) < headerSize || string(b[:8]) != magic {
		return h, 0, false
	}
	le := binary.LittleEndian
	if le.Uint32(b[60:]) != crc32.Checksum(b[:60], castagnoli) {
		return h, 0, false
	}
	h = header{epoch: le.Uint64(b[16:]), first: le.Uint64(b[24:]), prev: le.Uint64(b[32:]), valid: int64(le.Uint64(b[40:]))}
	return h, le.Uint32(b[8:]), validSeq(h.first) && h.valid >= 0
}

// record says what one batch is and where its lines lie. A record of no lines is the mark of a clean end.
type record struct {
	first  uint64 // seq of the first line; of a mark: the seq that comes next
	offset int64  // of the first line, in bytes
	synced int64  // bytes of the segment that were known to be synced when the record was written
	time   int64  // Unix milliseconds of the batch
	source Source
	count  uint32 // lines
	length uint32 // bytes of all lines
	sum    uint32 // CRC-32C of the lines
}

func (r record) end() int64    { return r.offset + int64(r.length) }
func (r record) next() uint64  { return r.first + uint64(r.count) }
func (r record) isMark() bool  { return r.count == 0 }
func (r record) isBatch() bool { return r.count != 0 }

// encode fills the first recordSize bytes of b.
func (r record) encode(b []byte) {
	le := binary.LittleEndian
	le.PutUint64(b[0:], r.first)
	le.PutUint64(b[8:], uint64(r.offset))
	le.PutUint64(b[16:], uint64(r.synced))
	le.PutUint64(b[24:], uint64(r.time))
	le.PutUint64(b[32:], r.source.Batch)
	le.PutUint32(b[40:], r.source.Incarnation)
	le.PutUint32(b[44:], r.count)
	le.PutUint32(b[48:], r.length)
	le.PutUint32(b[52:], r.sum)
	le.PutUint32(b[56:], 0)
	le.PutUint32(b[60:], crc32.Checksum(b[:60], castagnoli))
}

// decodeRecord reads a record; ok is false when its checksum is wrong or its values are impossible.
func decodeRecord(b []byte) (r record, ok bool) {
	le := binary.LittleEndian
	if len(b) < recordSize || le.Uint32(b[60:]) != crc32.Checksum(b[:60], castagnoli) {
		return r, false
	}
	r = record{
		first:  le.Uint64(b[0:]),
		offset: int64(le.Uint64(b[8:])),
		synced: int64(le.Uint64(b[16:])),
		time:   int64(le.Uint64(b[24:])),
		source: Source{Batch: le.Uint64(b[32:]), Incarnation: le.Uint32(b[40:])},
		count:  le.Uint32(b[44:]),
		length: le.Uint32(b[48:]),
		sum:    le.Uint32(b[52:]),
	}
	return r, validSeq(r.first) && r.offset >= 0 && r.synced >= 0 && r.end() >= 0 &&
		r.count <= r.length && r.isMark() == (r.length == 0)
}

// validSeq leaves room to count on from every number that is believed.
func validSeq(n uint64) bool { return n > 0 && n < 1<<62 }

// Names of the files of segment n. The number has six digits or more, so that names sort as the segments do for the
// first million.
func dataName(n uint64) string  { return ordinal(n) + dataSuffix }
func indexName(n uint64) string { return ordinal(n) + indexSuffix }

const (
	dataSuffix  = ".ndjson"
	indexSuffix = ".index"
	freshSuffix = ".index.new" // an index being rebuilt
)

func ordinal(n uint64) string {
	s := strconv.FormatUint(n, 10)
	if len(s) < 6 {
		s = "000000"[len(s):] + s
	}
	return s
}

// parseName reads the ordinal and the suffix of a file's name; ok is false for files that are not the journal's.
func parseName(name string) (n uint64, suffix string, ok bool) {
	digits, rest, _ := strings.Cut(name, ".")
	n, err := strconv.ParseUint(digits, 10, 64)
	if err != nil || n == 0 || ordinal(n) != digits {
		return 0, "", false
	}
	switch suffix = "." + rest; suffix {
	case dataSuffix, indexSuffix, freshSuffix:
		return n, suffix, true
	}
	return 0, "", false
}
