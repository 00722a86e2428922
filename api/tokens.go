package api

import (
	"context"
	"net/http"
	"time"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/guard"
)

// newToken is the token that is wanted.
type newToken struct {
	Name      string       `json:"name" minLength:"1" maxLength:"128" example:"dashboard" doc:"Who or what will have it"`
	Scope     access.Scope `json:"scope" enum:"admin,admin:ro,owner,owner:ro" doc:"admin: everything; owner: makes sessions, and reads and changes those of its owner; with :ro it only reads"`
	Owner     string       `json:"owner,omitempty" maxLength:"128" example:"ann" doc:"Whose sessions, with the scopes owner and owner:ro"`
	ExpiresAt *time.Time   `json:"expiresAt,omitempty" doc:"Absent: never"`
}

// TokenInfo is a token without its secret.
//
// It is exported because huma drops embedded structs that are not.
type TokenInfo struct {
	ID        string       `json:"id" doc:"What revokeToken takes"`
	Name      string       `json:"name" doc:"Who or what has it"`
	Scope     access.Scope `json:"scope" enum:"admin,admin:ro,owner,owner:ro" doc:"What it may do"`
	Owner     string       `json:"owner,omitempty" doc:"Whose sessions, with the scopes owner and owner:ro"`
	CreatedAt time.Time    `json:"createdAt" doc:"When it was made"`
	ExpiresAt *time.Time   `json:"expiresAt,omitempty" doc:"Absent: never"`
}

// createdToken is a new token with its secret.
type createdToken struct {
	TokenInfo
	Token string `json:"token" doc:"The bearer token. It is shown this once: only its hash is kept."`
}

// tokenList is the tokens that people have made.
type tokenList struct {
	Tokens []TokenInfo `json:"tokens" doc:"That are valid, the oldest first"`
}

func (a *API) registerTokens() {
	register(a, operation{
		id: "createToken", method: http.MethodPost, path: "/tokens", tag: "daemon", status: http.StatusCreated, need: guard.Admin,
		summary: "Make a token", text: "A bearer token of a narrower scope, or for one holder alone. Needs the scope admin.",
	}, func(ctx context.Context, in *struct{ Body newToken }) (*struct{ Body createdToken }, error) {
		want := access.Token{Name: in.Body.Name, Scope: in.Body.Scope, Owner: in.Body.Owner}
		if in.Body.ExpiresAt != nil {
			want.Expires = in.Body.ExpiresAt.UTC()
		}
		made, secret, err := a.cfg.Tokens.Create(want)
		if err != nil {
			return nil, err
		}
		access.NoteToken(ctx, made.ID)
		return &struct{ Body createdToken }{createdToken{tokenInfo(made), secret}}, nil
	})
	register(a, operation{
		id: "listTokens", method: http.MethodGet, path: "/tokens", tag: "daemon", need: guard.Admin,
		summary: "List the tokens", text: "Those that people have made; never their secrets. Needs the scope admin.",
	}, func(context.Context, *struct{}) (*struct{ Body tokenList }, error) {
		list := tokenList{Tokens: []TokenInfo{}}
		for _, t := range a.cfg.Tokens.List() {
			list.Tokens = append(list.Tokens, tokenInfo(t))
		}
		return &struct{ Body tokenList }{list}, nil
	})
	register(a, operation{
		id: "revokeToken", method: http.MethodDelete, path: "/tokens/{tid}", tag: "daemon", need: guard.Admin,
		summary: "Revoke a token", text: "At once: its streams and MCP sessions end, too. Needs the scope admin.", errors: []int{http.StatusNotFound},
	}, func(ctx context.Context, in *struct {
		ID string `path:"tid" maxLength:"64" doc:"The token's id"`
	},
	) (*struct{}, error) {
		if err := a.cfg.Tokens.Revoke(in.ID); err != nil {
			return nil, err
		}
		access.NoteToken(ctx, in.ID)
		return nil, nil
	})
}

func tokenInfo(t access.Token) TokenInfo {
	out := TokenInfo{ID: t.ID, Name: t.Name, Scope: t.Scope, Owner: t.Owner, CreatedAt: t.Created}
	if !t.Expires.IsZero() {
		out.ExpiresAt = &t.Expires
	}
	return out
}
