// Package nodes serves what concerns the nodes on a Core, and the sessions that move between them.
package nodes

import (
	"context"
	"io"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/guard"
	"github.com/ringmaster-agents/ringmaster/api/operation"
	"github.com/ringmaster-agents/ringmaster/api/schema"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
	"github.com/ringmaster-agents/ringmaster/supervisor/roster"
)

// NodePath names a node. It is exported for the reader of requests, which sets exported members alone.
type NodePath struct {
	Node string `path:"node" maxLength:"64" example:"64d7f03884adbb31ec3a968add57e63a" doc:"The node's id; here: the daemon that answers"`
}

type nodeAnswer struct{ Body resource.NodeInfo }

// Register serves what concerns the nodes on a Core, and sessions that move between them.
func Register(t *operation.Table, nodes *access.Nodes) {
	operation.Register(t, operation.Operation{
		ID: "listNodes", Method: http.MethodGet, Path: "/nodes", Tag: "daemon", Need: guard.All,
		Summary: "List the nodes on the same Core",
		Text:    "The daemons that share a Core with this one, which lists their sessions and serves their logs. Without a Core there are none. Needs the scope admin or admin:ro.",
		Errors:  []int{http.StatusForbidden, http.StatusServiceUnavailable},
	}, func(ctx context.Context, _ *struct{}) (*struct{ Body resource.NodeList }, error) {
		found, err := nodes.List(ctx)
		if err != nil {
			return nil, err
		}
		list := make([]resource.NodeInfo, len(found))
		for i := range found {
			list[i] = nodeInfo(&found[i])
		}
		return &struct{ Body resource.NodeList }{resource.NodeList{Nodes: list}}, nil
	})
	operation.Register(t, operation.Operation{
		ID: "drainNode", Method: http.MethodPost, Path: "/nodes/{node}/drain", Tag: "daemon", Need: guard.Admin,
		Summary: "Have a node give its sessions away",
		Text: "The node takes no sessions more, and those in its named workspaces go: as soon as their turns have come to their end, or are interrupted when the time " +
			"for that is over. Any node that has the workspace goes on with them when somebody asks for a change, and at once where a prompt waits. " +
			"The others stay. The answer comes at once; " +
			"`leaving` tells how many are there still. joinNode, or another start, ends it. Only the daemon that answers can be told to. " +
			"Needs the scope admin.",
		Errors: []int{http.StatusForbidden, http.StatusNotFound, http.StatusServiceUnavailable},
	}, func(ctx context.Context, in *struct {
		NodePath
		Body resource.NewDrain
	},
	) (*nodeAnswer, error) {
		n, err := nodes.Drain(ctx, in.Node, time.Duration(in.Body.WaitMs)*time.Millisecond)
		if err != nil {
			return nil, err
		}
		return &nodeAnswer{nodeInfo(&n)}, nil
	})
	operation.Register(t, operation.Operation{
		ID: "joinNode", Method: http.MethodPost, Path: "/nodes/{node}/join", Tag: "daemon", Need: guard.Admin,
		Summary: "Have a node that drains take sessions again",
		Text: "What it has given away stays away, until somebody wants a change of it. A node that does not drain stays as it is. " +
			"Only the daemon that answers can be told to. Needs the scope admin.",
		Errors: []int{http.StatusForbidden, http.StatusNotFound, http.StatusServiceUnavailable},
	}, func(ctx context.Context, in *NodePath) (*nodeAnswer, error) {
		n, err := nodes.Join(ctx, in.Node)
		if err != nil {
			return nil, err
		}
		return &nodeAnswer{nodeInfo(&n)}, nil
	})
	operation.Register(t, operation.Operation{
		ID: "forgetNode", Method: http.MethodPost, Path: "/nodes/{node}/forget", Tag: "daemon", Need: guard.Admin,
		Summary: "Say that a node is gone for good",
		Text: "Its sessions can be taken by other nodes then, also those that wait for it (takeSession). A node whose lease runs is not forgotten. One that comes back " +
			"all the same keeps the sessions that nobody has taken. Needs the scope admin.",
		Errors: []int{http.StatusForbidden, http.StatusNotFound, http.StatusConflict, http.StatusServiceUnavailable},
	}, func(ctx context.Context, in *NodePath) (*nodeAnswer, error) {
		n, err := nodes.Forget(ctx, in.Node)
		if err != nil {
			return nil, err
		}
		return &nodeAnswer{nodeInfo(&n)}, nil
	})
	operation.Register(t, operation.Operation{
		ID: "takeSession", Method: http.MethodPost, Path: "/sessions/{id}/take", Tag: "control", Status: http.StatusNoContent,
		Summary: "Have this node go on with a session",
		Text: "Takes a session over that no node has, or whose node is gone, with its family. One that stays with its node is taken where that one was said to be gone for " +
			"good (forgetNode), or has left. A session that is here already stays as it is.",
		Errors: []int{http.StatusForbidden, http.StatusNotFound, http.StatusServiceUnavailable},
	}, func(ctx context.Context, in *operation.SessionPath) (*struct{}, error) {
		return nil, nodes.TakeOver(ctx, in.ID)
	})
	registerLost(t, nodes)
}

func registerLost(t *operation.Table, nodes *access.Nodes) {
	operation.Register(t, operation.Operation{
		ID: "listLost", Method: http.MethodGet, Path: "/sessions/{id}/lost", Tag: "log",
		Summary: "List the ends of a session's log that another node went on without",
		Text: "A node that was cut off may have had events of a session that never came to Core. Where another node has taken the session over, they are no part of its log: " +
			"the node that had them keeps them aside, and only that one lists them.",
		Errors: []int{http.StatusNotFound, http.StatusServiceUnavailable},
	}, func(ctx context.Context, in *operation.SessionPath) (*struct{ Body resource.LostList }, error) {
		found, err := nodes.Lost(ctx, in.ID)
		if err != nil {
			return nil, err
		}
		list := make([]resource.LostEnd, len(found))
		for i, l := range found {
			list[i] = resource.LostEnd{Name: l.Name, At: l.At.UTC(), Epoch: l.Epoch, First: l.First, Last: l.Last, Events: l.Last + 1 - l.First}
		}
		return &struct{ Body resource.LostList }{resource.LostList{Lost: list}}, nil
	})
	operation.Register(t, operation.Operation{
		ID: "getLost", Method: http.MethodGet, Path: "/sessions/{id}/lost/{name}", Tag: "log",
		Summary: "Read the end of a session's log that another node went on without",
		Text:    "One event per line, as they stood in the log of the node that had them. Their numbers are those of other events in the session's log.",
		Errors:  []int{http.StatusNotFound, http.StatusServiceUnavailable},
		Responses: map[string]*huma.Response{
			"200": {Description: "NDJSON, one SessionEvent per line", Content: schema.NDJSON(schema.SessionEvent(t.Schemas()))},
		},
	}, func(ctx context.Context, in *struct {
		operation.SessionPath
		Name string `path:"name" maxLength:"64" doc:"As listLost names it"`
	},
	) (*huma.StreamResponse, error) {
		lines, err := nodes.LostLines(ctx, in.ID, in.Name)
		if err != nil {
			return nil, err
		}
		return &huma.StreamResponse{Body: func(c huma.Context) {
			defer lines.Close()
			_, w := humago.Unwrap(c)
			w.Header().Set("Content-Type", schema.NDJSONType)
			_, _ = io.Copy(w, lines) // the client has gone, or the answer ends early, which its chunks tell
		}}, nil
	})
}

func nodeInfo(n *roster.Node) resource.NodeInfo {
	return resource.NodeInfo{
		ID: n.ID, Here: n.Here, State: resource.NodeState(n.State), Sessions: n.Sessions, Address: n.Address, Workspaces: n.Workspaces,
		Build: n.Build, LeaseMs: n.Lease.Milliseconds(), SilentMs: n.Silent.Milliseconds(), Leaving: n.Leaving,
	}
}
