package core

import (
	"encoding/binary"
	"errors"
	"math"

	"github.com/ringmaster-agents/ringmaster/actors/store"
)

// EncodeSources writes the sources of a stretch as Core's rows have them: for each run of lines three numbers, its count, and the incarnation and number of
// its batch, each in base 128 as encoding/binary writes it.
func EncodeSources(list []store.Made) []byte {
	b := make([]byte, 0, 4*len(list))
	for _, m := range list {
		b = binary.AppendUvarint(b, uint64(m.Count))
		b = binary.AppendUvarint(b, uint64(m.Source.Incarnation))
		b = binary.AppendUvarint(b, m.Source.Batch)
	}
	return b
}

// errSources: bytes that EncodeSources did not write.
var errSources = errors.New("the sources of a row are damaged")

// DecodeSources reads what EncodeSources has written.
func DecodeSources(b []byte) ([]store.Made, error) {
	var list []store.Made
	for len(b) > 0 {
		var n [3]uint64
		for i := range n {
			v, size := binary.Uvarint(b)
			if size <= 0 {
				return nil, errSources
			}
			n[i], b = v, b[size:]
		}
		if n[0] == 0 || n[0] > math.MaxInt32 || n[1] > math.MaxUint32 {
			return nil, errSources
		}
		list = append(list, store.Made{Count: int(n[0]), Source: store.Source{Incarnation: uint32(n[1]), Batch: n[2]}})
	}
	return list, nil
}
