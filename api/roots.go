package api

import (
	"context"
	"net/http"

	"github.com/ringmaster-agents/ringmaster/api/guard"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// newRoot is a folder that is to be added.
type newRoot struct {
	Path string `json:"path" minLength:"1" maxLength:"4096" example:"/home/me/src" doc:"Absolute path of a folder that is there"`
}

func (a *API) registerRoots() {
	register(a, operation{
		id: "listRoots", method: http.MethodGet, path: "/roots", tag: "daemon",
		summary: "List the roots", text: "The folders inside which sessions may work.",
	}, func(ctx context.Context, _ *struct{}) (*struct{ Body resource.RootList }, error) {
		roots, err := a.sup.Roots(ctx)
		return &struct{ Body resource.RootList }{resource.RootList{Roots: append([]string{}, roots...)}}, err
	})
	register(a, operation{
		id: "addRoot", method: http.MethodPost, path: "/roots", tag: "daemon", need: guard.Admin, socket: true,
		summary: "Add a root",
		text: "Lets sessions work inside one folder more, until the daemon ends; a folder inside a root changes nothing. " +
			"Needs the scope admin, and the daemon's unix socket: a token alone does not widen where agents work.",
	}, func(ctx context.Context, in *struct{ Body newRoot }) (*struct{ Body resource.RootList }, error) {
		roots, err := a.sup.AddRoot(ctx, in.Body.Path)
		if err == nil && a.cfg.RootAdded != nil {
			err = a.cfg.RootAdded(ctx)
		}
		return &struct{ Body resource.RootList }{resource.RootList{Roots: roots}}, err
	})
}
