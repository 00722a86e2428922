package api

import (
	"context"
	"net/http"
)

// newRoot is a folder that is to be added.
type newRoot struct {
	Path string `json:"path" minLength:"1" maxLength:"4096" example:"/home/me/src" doc:"Absolute path of a folder that is there"`
}

// rootList says where sessions may work.
type rootList struct {
	Roots []string `json:"roots" example:"[\"/home/me/src\"]" doc:"Sessions may work inside these folders; links are followed"`
}

func (a *API) registerRoots() {
	register(a, operation{
		id: "listRoots", method: http.MethodGet, path: "/roots", tag: "daemon",
		summary: "List the roots", text: "The folders inside which sessions may work.",
	}, func(ctx context.Context, _ *struct{}) (*struct{ Body rootList }, error) {
		roots, err := a.sup.Roots(ctx)
		return &struct{ Body rootList }{rootList{append([]string{}, roots...)}}, err
	})
	register(a, operation{
		id: "addRoot", method: http.MethodPost, path: "/roots", tag: "daemon", need: needAdmin, socket: true,
		summary: "Add a root",
		text: "Lets sessions work inside one folder more, until the daemon ends; a folder inside a root changes nothing. " +
			"Needs the scope admin, and the daemon's unix socket: a token alone does not widen where agents work.",
	}, func(ctx context.Context, in *struct{ Body newRoot }) (*struct{ Body rootList }, error) {
		roots, err := a.sup.AddRoot(ctx, in.Body.Path)
		if err == nil && a.cfg.RootAdded != nil {
			err = a.cfg.RootAdded(ctx)
		}
		return &struct{ Body rootList }{rootList{roots}}, err
	})
}
