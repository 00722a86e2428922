package resource

import "time"

// NewToken is the token that is wanted.
type NewToken struct {
	Name      string     `json:"name" minLength:"1" maxLength:"128" example:"dashboard" doc:"Who or what will have it"`
	Scope     string     `json:"scope" enum:"admin,admin:ro,owner,owner:ro" doc:"admin: everything; owner: makes sessions, and reads and changes those of its owner; with :ro it only reads"`
	Owner     string     `json:"owner,omitempty" maxLength:"128" example:"ann" doc:"Whose sessions, with the scopes owner and owner:ro"`
	ExpiresAt *time.Time `json:"expiresAt,omitempty" doc:"Absent: never"`
}

// TokenInfo is a token without its secret.
type TokenInfo struct {
	ID        string     `json:"id" doc:"What revokeToken takes"`
	Name      string     `json:"name" doc:"Who or what has it"`
	Scope     string     `json:"scope" enum:"admin,admin:ro,owner,owner:ro" doc:"What it may do"`
	Owner     string     `json:"owner,omitempty" doc:"Whose sessions, with the scopes owner and owner:ro"`
	CreatedAt time.Time  `json:"createdAt" doc:"When it was made"`
	ExpiresAt *time.Time `json:"expiresAt,omitempty" doc:"Absent: never"`
	AskedBy   string     `json:"askedBy,omitempty" doc:"Of a page that is logged in: the id of the token that asked for it, with which it is void; admin is the daemon's own"`
}

// CreatedToken is a new token with its secret.
type CreatedToken struct {
	TokenInfo
	Token string `json:"token" doc:"The bearer token. It is shown this once: only its hash is kept."`
}

// LoginCode is a code that logs a page in, once.
type LoginCode struct {
	Code      string    `json:"code" doc:"What login takes"`
	Path      string    `json:"path" example:"/#login=7KQ2M4X6ZAB3C5D7E2F4G6H3JA" doc:"Of the page that takes the code, behind the daemon's address. The code is in its fragment, which no request has; another path of a page may stand before it"`
	ExpiresAt time.Time `json:"expiresAt" doc:"A minute after it was made"`
}

// NewLogin is a page that has a code.
type NewLogin struct {
	Code string `json:"code" maxLength:"64" doc:"Of askLogin"`
	Name string `json:"name" minLength:"1" maxLength:"128" example:"Firefox on Linux" doc:"How the list of tokens names the page"`
}

// TokenList is the tokens that people have made, and those of pages.
type TokenList struct {
	Tokens []TokenInfo `json:"tokens" doc:"That are valid, the oldest first"`
}
