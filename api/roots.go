package api

import (
	"context"
	"net/http"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/guard"
	"github.com/ringmaster-agents/ringmaster/api/operation"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

func registerRoots(t *operation.Table, sup *access.Gate, added func(context.Context) error) {
	operation.Register(t, operation.Operation{
		ID: "listRoots", Method: http.MethodGet, Path: "/roots", Tag: "daemon",
		Summary: "List the roots", Text: "The folders inside which sessions may work.",
	}, func(ctx context.Context, _ *struct{}) (*struct{ Body resource.RootList }, error) {
		roots, err := sup.Roots(ctx)
		return &struct{ Body resource.RootList }{resource.RootList{Roots: append([]string{}, roots...)}}, err
	})
	operation.Register(t, operation.Operation{
		ID: "addRoot", Method: http.MethodPost, Path: "/roots", Tag: "daemon", Need: guard.Admin, Socket: true,
		Summary: "Add a root",
		Text: "Lets sessions work inside one folder more, until the daemon ends; a folder inside a root changes nothing. " +
			"Needs the scope admin, and the daemon's unix socket: a token alone does not widen where agents work.",
	}, func(ctx context.Context, in *struct{ Body resource.NewRoot }) (*struct{ Body resource.RootList }, error) {
		roots, err := sup.AddRoot(ctx, in.Body.Path)
		if err == nil && added != nil {
			err = added(ctx)
		}
		return &struct{ Body resource.RootList }{resource.RootList{Roots: roots}}, err
	})
}
