package task

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ringmaster-agents/ringmaster/api/mcp/problem"
)

// Extension lets a call answer with a task, which the client looks at until it is over. The SDK does not have it: it is
// made of a middleware, three methods and a look at a header.
const Extension = "io.modelcontextprotocol/tasks"

type taskParams struct {
	sdk.ParamsBase
	TaskID         string                     `json:"taskId"`
	InputResponses map[string]json.RawMessage `json:"inputResponses,omitempty"`
}

type taskAck struct {
	sdk.ResultBase
	ResultType string `json:"resultType"`
}

// declaresTasks says that a request's client can take tasks.
func declaresTasks(meta map[string]any) bool {
	capabilities, _ := meta[sdk.MetaKeyClientCapabilities].(map[string]any)
	extensions, _ := capabilities["extensions"].(map[string]any)
	_, ok := extensions[Extension]
	return ok
}

// DeclaresForms says that a request's client can ask its user with forms: one that names no kind of elicitation can.
func DeclaresForms(meta map[string]any) bool {
	capabilities, _ := meta[sdk.MetaKeyClientCapabilities].(map[string]any)
	kinds, ok := capabilities["elicitation"].(map[string]any)
	_, form := kinds["form"]
	return ok && (form || kinds["url"] == nil)
}

// Undeclared refuses a client that cannot take tasks.
func Undeclared() error {
	return &jsonrpc.Error{
		Code: sdk.CodeMissingRequiredClientCapabilities, Message: "The client did not declare the tasks extension.",
		Data: json.RawMessage(`{"requiredCapabilities":{"extensions":{"` + Extension + `":{}}}}`),
	}
}

// slot takes the id of the task that a tool's call has become.
type slot struct{ task string }

type slotKey struct{}

// Taken says that a call can become a task.
func Taken(ctx context.Context) bool { return ctx.Value(slotKey{}) != nil }

// Become makes a call a task, where the client can take one; false: it cannot.
func Become(ctx context.Context, id string) bool {
	s, ok := ctx.Value(slotKey{}).(*slot)
	if ok {
		s.task = id
	}
	return ok
}

// Tasked answers calls that became tasks with those.
func (t *Tasks) Tasked(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		r, ok := req.(*sdk.CallToolRequest)
		if !ok || r.Params == nil || !declaresTasks(r.Params.GetMeta()) {
			return next(ctx, method, req)
		}
		var to slot
		res, err := next(context.WithValue(ctx, slotKey{}, &to), method, req)
		if err != nil || to.task == "" {
			return res, err
		}
		w, err := t.source(to.task).Get(ctx, to.task, false)
		if err != nil {
			return nil, err
		}
		w.ResultType, w.Result, w.Error = "task", nil, nil
		if called, ok := res.(*sdk.CallToolResult); ok {
			w.Meta = sdk.Meta{"ringmaster/session": called.StructuredContent}
		}
		return w, nil
	}
}

// Source has tasks: the logs of the sessions have them.
type Source interface {
	Get(ctx context.Context, id string, forms bool) (*Wire, error)
	Stop(ctx context.Context, id string) error
	Update(ctx context.Context, id string, responses map[string]json.RawMessage) error
}

func (t *Tasks) source(id string) Source {
	if f := t.foreign(id); f != nil {
		return f
	}
	return t
}

// Add registers the methods of the extension.
func (t *Tasks) Add(s *sdk.Server) {
	method(s, "tasks/get", func(ctx context.Context, p *taskParams) (*Wire, error) {
		return t.source(p.TaskID).Get(ctx, p.TaskID, DeclaresForms(p.GetMeta()))
	})
	method(s, "tasks/cancel", func(ctx context.Context, p *taskParams) (*taskAck, error) {
		return &taskAck{ResultType: "complete"}, t.source(p.TaskID).Stop(ctx, p.TaskID)
	})
	method(s, "tasks/update", func(ctx context.Context, p *taskParams) (*taskAck, error) {
		return &taskAck{ResultType: "complete"}, t.source(p.TaskID).Update(ctx, p.TaskID, p.InputResponses)
	})
}

// method registers a method of the extension, for clients that declare it.
func method[R sdk.Result](s *sdk.Server, name string, do func(ctx context.Context, p *taskParams) (R, error)) {
	err := sdk.AddReceivingCustomMethod(s, name, func(ctx context.Context, _ *sdk.ServerSession, p *taskParams) (R, error) {
		var zero R
		if !declaresTasks(p.GetMeta()) {
			return zero, Undeclared()
		}
		r, err := do(ctx, p)
		if err != nil {
			return zero, err
		}
		return r, nil
	})
	if err != nil {
		panic(err) // a name of this package
	}
}

// Headers checks that Mcp-Name names the task: the SDK does so for its own methods alone.
func Headers(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.Header.Get("Mcp-Method") {
		case "tasks/get", "tasks/update", "tasks/cancel":
			body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxTaskBody))
			if err != nil {
				problem.Refuse(w, problem.Refusal(http.StatusRequestEntityTooLarge))
				return
			}
			var m struct {
				ID     json.RawMessage `json:"id"`
				Params struct {
					TaskID string `json:"taskId"`
				} `json:"params"`
			}
			_ = json.Unmarshal(body, &m)
			if m.Params.TaskID != r.Header.Get("Mcp-Name") {
				if len(m.ID) == 0 {
					m.ID = json.RawMessage("null")
				}
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(http.StatusBadRequest)
				_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":"Mcp-Name does not match params.taskId"}}`,
					m.ID, sdk.CodeHeaderMismatch)
				return
			}
			r.Body = io.NopCloser(bytes.NewReader(body))
		}
		next.ServeHTTP(w, r)
	})
}

const maxTaskBody = 4 << 20 // bytes
