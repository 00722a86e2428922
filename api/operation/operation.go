package operation

import (
	"cmp"
	"context"
	"net/http"
	"reflect"
	"strconv"

	"github.com/danielgtaylor/huma/v2"
	"go.uber.org/zap"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/guard"
	"github.com/ringmaster-agents/ringmaster/api/schema"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Table has the operations of the API: each is a route, a row of the guard's table, and a part of the description.
type Table struct {
	huma   huma.API
	Routes *guard.Routes
	log    *zap.Logger
}

// NewTable makes an empty one. log is told of what goes wrong inside; server is the address that the description names.
func NewTable(routes *guard.Routes, log *zap.Logger, server string) *Table {
	return &Table{newHuma(routes, server), routes, log}
}

// Description is what the operations that were registered say of themselves.
func (t *Table) Description() *huma.OpenAPI { return t.huma.OpenAPI() }

// Failure is what a client sees of an error; its insides go to the log.
func (t *Table) Failure(op string, err error) *Problem { return Failure(t.log, op, err) }

// Schemas are those of the description.
func (t *Table) Schemas() huma.Registry { return t.huma.OpenAPI().Components.Schemas }

// smallBody is how many bytes of JSON a route takes unless it says otherwise.
const smallBody = 64 << 10

// Operation is one row of the API: what huma needs and what the guard needs.
type Operation struct {
	ID, Method, Path string
	Summary, Text    string
	Tag              string
	Status           int   // of success; 0: 200, or 204 without a body
	Errors           []int // besides 401, 403, 422 and 500
	MaxBody          int64 // bytes; 0: smallBody where a body is taken
	Open             bool
	Need             guard.Need // 0: guard.Read or, unless it is a GET, guard.Write
	Reads            bool       // it is no GET, and changes nothing all the same
	Stream           bool
	Socket           bool   // over the unix socket alone
	Secret           bool   // the answer has a secret: a repeat is told that there was one (spec §7.16)
	LookAt           string // path that shows what came of a call; empty: its session, or the list that it is about
	Endless          bool   // it ends with its client alone
	Responses        map[string]*huma.Response
}

// SessionPath is the path parameter of everything about one session. It is exported because huma drops embedded structs
// that are not.
type SessionPath struct {
	ID string `path:"id" example:"0b6c3a3e-5a0f-4f57-9a53-6a0f2d0c7f11" doc:"The session's id"`
}

// extensions are members of the description that are ours. What no page can carry out is not offered by that of /docs.
func (op *Operation) extensions() map[string]any {
	if !op.Endless && !op.Socket {
		return nil
	}
	return map[string]any{"x-not-in-browser": true}
}

// Register puts an operation on the mux, into the description and into the guard's table.
func Register[I, O any](t *Table, op Operation, handler func(context.Context, *I) (*O, error)) {
	body, takesBody := reflect.TypeFor[I]().FieldByName("Body")
	media := []string{"application/json"}
	if takesBody {
		op.MaxBody = cmp.Or(op.MaxBody, smallBody)
		if ct := body.Tag.Get("contentType"); ct != "" {
			media = []string{ct, media[0]}
		}
	}
	h := huma.Operation{
		OperationID: op.ID, Method: op.Method, Path: op.Path, Summary: op.Summary, Description: op.Text,
		Tags: []string{op.Tag}, DefaultStatus: op.Status, Responses: op.Responses,
		Errors:          append([]int{http.StatusForbidden}, op.Errors...),
		MaxBodyBytes:    op.MaxBody + 1, // huma refuses what reaches the limit
		BodyReadTimeout: -1,             // package intake does it
		Extensions:      op.extensions(),
	}
	if op.Open {
		h.Security = []map[string][]string{{}}
	} else {
		h.Errors = append(h.Errors, http.StatusUnauthorized, http.StatusServiceUnavailable)
	}
	if takesBody {
		h.Errors = append(h.Errors, http.StatusBadRequest, http.StatusRequestTimeout, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType)
	}
	keys := keysOf[I](&op)
	if keys == guard.KeysKept {
		h.Parameters = []*huma.Param{keyParam()}
		h.Errors = append(h.Errors, http.StatusConflict, http.StatusGone)
	}
	huma.Register(t.huma, h, func(ctx context.Context, in *I) (*O, error) {
		out, err := handler(ctx, in)
		if err != nil {
			p := Failure(t.log, op.ID, err)
			access.NoteProblem(ctx, p.Code)
			return nil, p
		}
		return out, nil
	})
	if keys == guard.KeysKept {
		t.tellsRepeats(&h)
	}
	rt := t.Routes.Row(op.Method + " " + op.Path)
	rt.Name, rt.Open, rt.Stream, rt.Socket, rt.Media, rt.MaxBody = op.ID, op.Open, op.Stream, op.Socket, media, op.MaxBody
	if op.Need != 0 {
		rt.Need = op.Need
	}
	if op.Reads {
		rt.Need, rt.Changes = guard.Read, false
	}
	rt.Secret, rt.LookAt = op.Secret, op.LookAt
	rt.Keys = keys
}

// Describe describes an operation that huma does not serve.
func (t *Table) Describe(op Operation, body *huma.RequestBody, params ...*huma.Param) {
	h := &huma.Operation{
		OperationID: op.ID, Method: op.Method, Path: op.Path, Summary: op.Summary, Description: op.Text,
		Tags: []string{op.Tag}, Parameters: params, RequestBody: body, Responses: op.Responses,
		Extensions: op.extensions(),
	}
	always := []int{http.StatusUnauthorized, http.StatusForbidden, http.StatusInternalServerError, http.StatusServiceUnavailable}
	for _, status := range append(always, op.Errors...) {
		h.Responses[strconv.Itoa(status)] = &huma.Response{
			Description: http.StatusText(status),
			Content:     map[string]*huma.MediaType{protocol.ProblemType: {Schema: &huma.Schema{Ref: schema.Prefix + "Problem"}}},
		}
	}
	t.Description().AddOperation(h)
}
