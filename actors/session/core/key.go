package core

import (
	"hash/fnv"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// keyed is an accepted prompt that came with an idempotency key.
type keyed struct {
	Receipt
	sum uint64 // of what was asked
}

// repeated is the answer to a prompt whose key is known: the first one's receipt, if it is the same prompt.
func (k keyed) repeated(sum uint64) (Receipt, error) {
	if sum != k.sum {
		return Receipt{}, &protocol.Problem{
			Code: protocol.CodeConflict, Detail: "The " + protocol.TermIdempotencyKey + " was used for another prompt, " + k.PromptID + ".",
			Hint: "Give each prompt a key of its own, and repeat a prompt as it was.",
		}
	}
	r := k.Receipt
	r.Repeated = true
	return r, nil
}

// promptSum tells prompts apart that come with one key. It protects nobody: a client may send any prompt.
func promptSum(text string, images []string, b protocol.Behavior) uint64 {
	h := fnv.New64a()
	for _, part := range append([]string{text, string(b)}, images...) {
		h.Write([]byte(part))
		h.Write([]byte{0})
	}
	return h.Sum64()
}
