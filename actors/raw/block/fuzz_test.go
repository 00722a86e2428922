package block

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"testing"
)

// FuzzWalk: in whatever a file has, with the sums of all heads put right, and of their payloads where there is one, a walk ends, its blocks are behind one another,
// and the texts are as long as the heads say.
func FuzzWalk(f *testing.F) {
	file, _ := three()
	f.Add(file, true)
	f.Add(append(bytes.Repeat([]byte(magic), 30), file...), true)
	f.Add(append(append([]byte{}, file[:headSize+5]...), file...), false)
	f.Fuzz(func(t *testing.T, file []byte, payloads bool) {
		for at := 0; at+headSize <= len(file); at++ {
			head := file[at : at+headSize]
			if string(head[:4]) != magic {
				continue
			}
			stored := uint64(binary.LittleEndian.Uint32(head[24:]))
			if body := uint64(at + headSize); payloads && body+stored <= uint64(len(file)) {
				binary.LittleEndian.PutUint32(head[28:], crc32.Checksum(file[body:body+stored], castagnoli))
			}
			binary.LittleEndian.PutUint32(head[32:], crc32.Checksum(head[:32], castagnoli))
		}
		w := Over(bytes.NewReader(file), int64(len(file)))
		for end := int64(0); ; end = w.End() {
			h, more, err := w.Next()
			if err != nil {
				t.Fatal(err)
			}
			if !more {
				if w.End() != end {
					t.Fatalf("ends at %d, and at %d", end, w.End())
				}
				return
			}
			if w.End() < end+headSize || w.End() > int64(len(file)) || h.First == 0 || h.First >= mostFirst || h.End() <= h.First {
				t.Fatalf("%+v from %d to %d of %d", h, end, w.End(), len(file))
			}
			text, err := w.Text([]byte("so far "))
			if err != nil && !errors.Is(err, ErrDamaged) || !bytes.HasPrefix(text, []byte("so far ")) {
				t.Fatalf("%.20q, %v", text, err)
			}
			if err == nil && int64(len(text)-7) != h.Size() {
				t.Fatalf("%d bytes of text, and the head says %d", len(text)-7, h.Size())
			}
		}
	})
}
