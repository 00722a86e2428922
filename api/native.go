package api

import (
	"context"
	"net/http"
	"time"
)

// nativeSession is a session that an agent has of its own.
type nativeSession struct {
	Agent   string    `json:"agent" doc:"The agent that has it"`
	ID      string    `json:"nativeSessionId" doc:"What createSession takes to go on with it"`
	Cwd     string    `json:"cwd" doc:"Where it worked"`
	Title   string    `json:"title,omitempty" doc:"What the agent calls it, or the beginning of its first prompt; one line of at most 120 bytes"`
	Updated time.Time `json:"updatedAt" doc:"When the agent wrote to it last"`

	SessionID string `json:"sessionId,omitempty" doc:"The session of this daemon that works with it and has not ended: a second one is refused"`
}

// nativeList is what agents have in one folder.
type nativeList struct {
	Sessions []nativeSession `json:"sessions" doc:"The newest first, at most 200"`
}

func (a *API) registerNative() {
	register(a, operation{
		id: "listNativeSessions", method: http.MethodGet, path: "/native-sessions", tag: "daemon", need: needAll,
		summary: "List agents' own sessions",
		text: "The sessions that agents have of their own in a folder, made without the daemon or by it: createSession goes on with one by its nativeSessionId. " +
			"They are read from the agents' own files. " +
			"OpenCode's, which cannot be read so, are there where agent names it: it is run for that, which takes seconds. Needs the scope admin or admin:ro.",
	}, func(ctx context.Context, in *struct {
		Cwd   string `query:"cwd" required:"true" minLength:"1" maxLength:"4096" example:"/home/me/project" doc:"Absolute path inside one of the daemon's roots"`
		Agent string `query:"agent" maxLength:"64" doc:"Only sessions of this agent"`
	},
	) (*struct{ Body nativeList }, error) {
		list, err := a.sup.NativeSessions(ctx, in.Agent, in.Cwd)
		if err != nil {
			return nil, err
		}
		out := &struct{ Body nativeList }{nativeList{make([]nativeSession, len(list))}}
		for i := range list {
			n := &list[i]
			out.Body.Sessions[i] = nativeSession{
				Agent: n.Agent, ID: n.ID, Cwd: n.Cwd, Title: n.Title, Updated: n.Updated.UTC().Truncate(time.Millisecond), SessionID: n.SessionID,
			}
		}
		return out, nil
	})
}
