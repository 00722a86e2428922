package access

import (
	"encoding/base64"
	"encoding/json"
	"errors"
)

// carried is what one node tells another of a principal that it has let in. It is no secret, and proves nothing: it is believed of a peer alone.
type carried struct {
	ID      string `json:"id"`
	Name    string `json:"name,omitempty"`
	Scope   Scope  `json:"scope"`
	Owner   string `json:"owner,omitempty"`
	AskedBy string `json:"askedBy,omitempty"`
}

// Carry is the principal as a header tells it.
func (p *Principal) Carry() string {
	text, err := json.Marshal(carried{p.ID, p.Name, p.Scope, p.Owner, p.AskedBy})
	if err != nil {
		return "" // strings alone: it cannot be
	}
	return base64.RawURLEncoding.EncodeToString(text)
}

var errCarried = errors.New("access: no principal that a peer could have let in")

// Carried is the principal of a header of a peer's. What it may do is its scope, as everywhere; that it is valid still, the peer looks after, which ends the
// request when it is not. An agent is none: its token is for /mcp alone.
func Carried(text, via string) (*Principal, error) {
	plain, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return nil, errCarried
	}
	var c carried
	if json.Unmarshal(plain, &c) != nil || c.ID == "" || via == "" {
		return nil, errCarried
	}
	isWhole := false
	switch c.Scope {
	case Admin, AdminRead:
		isWhole = c.Owner == ""
	case Owner, OwnerRead:
		isWhole = c.Owner != ""
	case Agent:
	}
	if !isWhole {
		return nil, errCarried
	}
	return &Principal{ID: c.ID, Name: c.Name, Scope: c.Scope, Owner: c.Owner, AskedBy: c.AskedBy, Via: via}, nil
}
