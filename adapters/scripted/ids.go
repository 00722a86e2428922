package scripted

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"

	crand "crypto/rand"
)

// ids makes ids.
type ids struct{ random *rand.Rand }

// newIDs makes ids that a seed repeats; 0: that nothing does.
func newIDs(seed uint64) *ids {
	if seed == 0 {
		var b [8]byte
		_, _ = crand.Read(b[:])
		seed = binary.LittleEndian.Uint64(b[:])
	}
	return &ids{rand.New(rand.NewPCG(seed, seed))}
}

// entry makes an id as Pi's entries have them.
func (i *ids) entry() string { return fmt.Sprintf("%08x", i.random.Uint32()) }

// uuid makes an id as Pi's dialogs and sessions have them.
func (i *ids) uuid() string {
	h, l := i.random.Uint64(), i.random.Uint64()
	return fmt.Sprintf("%08x-%04x-4%03x-%04x-%012x", h>>32, h>>16&0xffff, h&0xfff, l>>48&0x3fff|0x8000, l&0xffffffffffff)
}
