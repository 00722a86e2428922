package cache

import (
	"encoding/binary"
	"hash/crc32"

	"github.com/ringmaster-agents/ringmaster/api/client/sync"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// slotSize is the length of a slot in bytes. An index has two of them, written in turn, so that one is whole whenever the other is being written.
const slotSize = 64

// magic begins every slot: the name and the version of the form.
const magic = "RMi1"

// slot is one entry of an index. Its bytes, all numbers with the highest byte first:
//
//	 0  4  magic
//	 4  4  zero
//	 8  8  generation
//	16  8  epoch
//	24  8  seq
//	32  8  length
//	40 16  zero
//	56  4  CRC-32 of the first length bytes of the file
//	60  4  CRC-32 of the 60 bytes before
type slot struct {
	generation uint64 // from 1: of two whole slots the one with the larger number counts
	sync.Index
}

// encode gives the bytes of a slot.
func (s *slot) encode() []byte {
	b := make([]byte, slotSize)
	copy(b, magic)
	binary.BigEndian.PutUint64(b[8:], s.generation)
	binary.BigEndian.PutUint64(b[16:], s.Epoch)
	binary.BigEndian.PutUint64(b[24:], s.Seq)
	binary.BigEndian.PutUint64(b[32:], uint64(s.Length))
	binary.BigEndian.PutUint32(b[56:], s.Sum)
	binary.BigEndian.PutUint32(b[60:], crc32.ChecksumIEEE(b[:60]))
	return b
}

// decode reads a slot. It is whole when its checksum is right and its numbers are such as a slot can have.
func decode(b []byte) (s slot, whole bool) {
	if len(b) < slotSize || string(b[:4]) != magic || binary.BigEndian.Uint32(b[60:]) != crc32.ChecksumIEEE(b[:60]) {
		return slot{}, false
	}
	length := binary.BigEndian.Uint64(b[32:])
	s = slot{
		generation: binary.BigEndian.Uint64(b[8:]),
		Index: sync.Index{
			Epoch: binary.BigEndian.Uint64(b[16:]), Seq: binary.BigEndian.Uint64(b[24:]), Length: int64(length), Sum: binary.BigEndian.Uint32(b[56:]),
		},
	}
	for _, n := range []uint64{s.generation, s.Epoch, s.Seq, length} {
		if n == 0 || n > protocol.MaxSeq {
			return slot{}, false
		}
	}
	return s, true
}

// newest finds the slot of an index that counts, and its place: 0 or 1.
func newest(index []byte) (s slot, place int, found bool) {
	for i := range 2 {
		if len(index) < i*slotSize {
			break
		}
		if x, whole := decode(index[i*slotSize:]); whole && x.generation > s.generation {
			s, place, found = x, i, true
		}
	}
	return s, place, found
}
