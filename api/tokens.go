package api

import (
	"context"
	"net/http"
	"time"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/guard"
	"github.com/ringmaster-agents/ringmaster/api/operation"
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

func registerTokens(t *operation.Table, tokens *access.Tokens) {
	operation.Register(t, operation.Operation{
		ID: "createToken", Method: http.MethodPost, Path: "/tokens", Tag: "daemon", Status: http.StatusCreated, Need: guard.Admin,
		Summary: "Make a token", Text: "A bearer token of a narrower scope, or for one holder alone. Needs the scope admin.",
	}, func(ctx context.Context, in *struct{ Body newToken }) (*struct{ Body createdToken }, error) {
		want := access.Token{Name: in.Body.Name, Scope: in.Body.Scope, Owner: in.Body.Owner}
		if in.Body.ExpiresAt != nil {
			want.Expires = in.Body.ExpiresAt.UTC()
		}
		made, secret, err := tokens.Create(want)
		if err != nil {
			return nil, err
		}
		access.NoteToken(ctx, made.ID)
		return &struct{ Body createdToken }{createdToken{tokenInfo(made), secret}}, nil
	})
	operation.Register(t, operation.Operation{
		ID: "listTokens", Method: http.MethodGet, Path: "/tokens", Tag: "daemon", Need: guard.Admin,
		Summary: "List the tokens", Text: "Those that people have made; never their secrets. Needs the scope admin.",
	}, func(context.Context, *struct{}) (*struct{ Body tokenList }, error) {
		list := tokenList{Tokens: []TokenInfo{}}
		for _, x := range tokens.List() {
			list.Tokens = append(list.Tokens, tokenInfo(x))
		}
		return &struct{ Body tokenList }{list}, nil
	})
	operation.Register(t, operation.Operation{
		ID: "revokeToken", Method: http.MethodDelete, Path: "/tokens/{tid}", Tag: "daemon", Need: guard.Admin,
		Summary: "Revoke a token", Text: "At once: its streams and MCP sessions end, too. Needs the scope admin.", Errors: []int{http.StatusNotFound},
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

func tokenInfo(t access.Token) TokenInfo {
	out := TokenInfo{ID: t.ID, Name: t.Name, Scope: t.Scope, Owner: t.Owner, CreatedAt: t.Created}
	if !t.Expires.IsZero() {
		out.ExpiresAt = &t.Expires
	}
	return out
}
