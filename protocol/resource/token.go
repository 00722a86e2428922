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
}

// CreatedToken is a new token with its secret.
type CreatedToken struct {
	TokenInfo
	Token string `json:"token" doc:"The bearer token. It is shown this once: only its hash is kept."`
}

// TokenList is the tokens that people have made.
type TokenList struct {
	Tokens []TokenInfo `json:"tokens" doc:"That are valid, the oldest first"`
}
