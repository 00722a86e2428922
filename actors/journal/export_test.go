package journal

import (
	"encoding/binary"
	"hash/crc32"
)

// Sizes of the index, for tests that damage it.
const (
	HeaderSize = headerSize
	RecordSize = recordSize
)

// WithVersion is an index as a build of another format version would begin it.
func WithVersion(index []byte, v uint32) []byte {
	b := append([]byte(nil), index...)
	binary.LittleEndian.PutUint32(b[8:], v)
	binary.LittleEndian.PutUint32(b[60:], crc32.Checksum(b[:60], castagnoli))
	return b
}

// Seal makes the checksums of an index's header and records right, whatever they say.
func Seal(index []byte) []byte {
	b := append([]byte(nil), index...)
	for at := 0; at+recordSize <= len(b); at += recordSize {
		binary.LittleEndian.PutUint32(b[at+60:], crc32.Checksum(b[at:at+60], castagnoli))
	}
	return b
}
