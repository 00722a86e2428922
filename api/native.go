package api

import (
	"context"
	"net/http"
	"time"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/guard"
	"github.com/ringmaster-agents/ringmaster/api/operation"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

func registerNative(t *operation.Table, sup *access.Gate) {
	operation.Register(t, operation.Operation{
		ID: "listNativeSessions", Method: http.MethodGet, Path: "/native-sessions", Tag: "daemon", Need: guard.All,
		Summary: "List agents' own sessions",
		Text: "The sessions that agents have of their own in a folder, made without the daemon or by it: createSession goes on with one by its nativeSessionId. " +
			"They are read from the agents' own files. " +
			"OpenCode's, which cannot be read so, are there where agent names it: it is run for that, which takes seconds. Needs the scope admin or admin:ro.",
	}, func(ctx context.Context, in *struct {
		Cwd   string `query:"cwd" required:"true" minLength:"1" maxLength:"4096" example:"/home/me/project" doc:"Absolute path inside one of the daemon's roots"`
		Agent string `query:"agent" maxLength:"64" doc:"Only sessions of this agent"`
	},
	) (*struct{ Body resource.NativeList }, error) {
		list, err := sup.NativeSessions(ctx, in.Agent, in.Cwd)
		if err != nil {
			return nil, err
		}
		out := &struct{ Body resource.NativeList }{resource.NativeList{Sessions: make([]resource.NativeSession, len(list))}}
		for i := range list {
			n := &list[i]
			out.Body.Sessions[i] = resource.NativeSession{
				Agent: n.Agent, ID: n.ID, Cwd: n.Cwd, Title: n.Title, Updated: n.Updated.UTC().Truncate(time.Millisecond), SessionID: n.SessionID,
			}
		}
		return out, nil
	})
}
