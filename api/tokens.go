package api

import (
	"context"
	"net/http"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/guard"
	"github.com/ringmaster-agents/ringmaster/api/operation"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

func registerTokens(t *operation.Table, tokens *access.Tokens) {
	operation.Register(t, operation.Operation{
		ID: "createToken", Method: http.MethodPost, Path: "/tokens", Tag: "daemon", Status: http.StatusCreated, Need: guard.Admin, Secret: true,
		Summary: "Make a token", Text: "A bearer token of a narrower scope, or for one holder alone. Needs the scope admin.",
	}, func(ctx context.Context, in *struct{ Body resource.NewToken }) (*struct{ Body resource.CreatedToken }, error) {
		if err := access.MayMakeTokens(ctx); err != nil {
			return nil, err
		}
		want := access.Token{Name: in.Body.Name, Scope: access.Scope(in.Body.Scope), Owner: in.Body.Owner}
		if in.Body.ExpiresAt != nil {
			want.Expires = in.Body.ExpiresAt.UTC()
		}
		made, secret, err := tokens.Create(want)
		if err != nil {
			return nil, err
		}
		access.NoteToken(ctx, made.ID)
		return &struct{ Body resource.CreatedToken }{resource.CreatedToken{TokenInfo: tokenInfo(made), Token: secret}}, nil
	})
	operation.Register(t, operation.Operation{
		ID: "listTokens", Method: http.MethodGet, Path: "/tokens", Tag: "daemon", Need: guard.Admin,
		Summary: "List the tokens", Text: "Those that people have made, and those of pages that are logged in; never their secrets. Needs the scope admin.",
	}, func(context.Context, *struct{}) (*struct{ Body resource.TokenList }, error) {
		list := resource.TokenList{Tokens: []resource.TokenInfo{}}
		for _, x := range tokens.List() {
			list.Tokens = append(list.Tokens, tokenInfo(x))
		}
		return &struct{ Body resource.TokenList }{list}, nil
	})
	operation.Register(t, operation.Operation{
		ID: "revokeToken", Method: http.MethodDelete, Path: "/tokens/{tid}", Tag: "daemon", Need: guard.Admin,
		Summary: "Revoke a token", Text: "At once: its streams and MCP sessions end, too, and so do the logins that it has asked for. Needs the scope admin.", Errors: []int{http.StatusNotFound},
	}, func(ctx context.Context, in *struct {
		ID string `path:"tid" maxLength:"64" doc:"The token's id"`
	},
	) (*struct{}, error) {
		if err := tokens.Revoke(in.ID); err != nil {
			return nil, err
		}
		access.NoteToken(ctx, in.ID)
		return nil, nil
	})
}

func tokenInfo(t access.Token) resource.TokenInfo {
	out := resource.TokenInfo{ID: t.ID, Name: t.Name, Scope: string(t.Scope), Owner: t.Owner, CreatedAt: t.Created, AskedBy: t.AskedBy}
	if !t.Expires.IsZero() {
		out.ExpiresAt = &t.Expires
	}
	return out
}
