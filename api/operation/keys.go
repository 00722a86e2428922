package operation

import (
	"net/http"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/ringmaster-agents/ringmaster/api/guard"
)

// MaxKey is how long a key of idempotency may be, in bytes (spec §7.16).
const MaxKey = 128

// keysOf says what an operation with this input does with keys of idempotency.
func keysOf[I any](op *Operation) guard.Keys {
	_, own := reflect.TypeFor[I]().FieldByName("IdempotencyKey")
	switch {
	case own:
		return guard.KeysOwn
	case op.Method == http.MethodGet, op.Reads, op.Open:
		return guard.KeysIgnored
	}
	return guard.KeysKept
}

// Replayed is the header Idempotency-Replayed of an answer.
func Replayed(repeated bool) string {
	if repeated {
		return "true"
	}
	return "" // there is none
}

func keyParam() *huma.Param {
	most := MaxKey
	return &huma.Param{
		Name: "Idempotency-Key", In: "header",
		Description: "The call is carried out once for a key, also across a restart of the daemon; a repeat gets its answer",
		Schema:      &huma.Schema{Type: huma.TypeString, MaxLength: &most},
	}
}

// tellsRepeats describes the header by which a repeat is known, in the answers of success.
func (t *Table) tellsRepeats(h *huma.Operation) {
	path := t.Description().Paths[h.Path]
	for _, op := range []*huma.Operation{path.Post, path.Put, path.Patch, path.Delete} {
		if op == nil || op.OperationID != h.OperationID {
			continue
		}
		for status, answer := range op.Responses {
			if !strings.HasPrefix(status, "2") {
				continue
			}
			if answer.Headers == nil {
				answer.Headers = map[string]*huma.Param{}
			}
			answer.Headers["Idempotency-Replayed"] = &huma.Param{
				Description: "true: the answer of an earlier call with this key; nothing was done again", Schema: &huma.Schema{Type: huma.TypeString},
			}
		}
	}
}
