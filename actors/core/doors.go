package core

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"strings"
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Doors is the side of Core's place that knows the credentials of nodes. It is for who holds the place itself, and lets nodes in that do not: no node has it.
// Its methods may be called by any goroutine, and wait as those of Core; their errors are Core's.
type Doors interface {
	// Admit keeps a credential. It may be told again.
	Admit(ctx context.Context, c Credential) error
	// Credentials gives all, in the order of their ids.
	Credentials(ctx context.Context) ([]Credential, error)
	// Find gives the credential of a token, by the token's sum; ok is false where there is none.
	Find(ctx context.Context, sum [sha256.Size]byte) (c Credential, ok bool, err error)
	// Bind has a credential be a node's. It is that already, or it is nobody's and the node is new: Core knows no node of that name, and no other
	// credential is of it. So a credential that was made for whoever comes first speaks for no node that was there before. ok is false where it may not.
	Bind(ctx context.Context, id, node string) (ok bool, err error)
	// Expel has a credential be void; gone is false where there was none.
	Expel(ctx context.Context, id string) (gone bool, err error)
	// Close frees connections.
	Close()
}

// Credential is what a node proves with who it is. Its secret is kept by nobody but the node.
type Credential struct {
	ID   string
	Name string // for people
	Node string // whose it is; "": of the first new node that uses it
	Sum  [sha256.Size]byte
	Made time.Time // by Core's clock
}

// NewCredential makes one, and its token, which has the form of all tokens (protocol.TokenPrefix).
func NewCredential(name, node string) (c Credential, token string) {
	c = Credential{ID: strings.ToLower(rand.Text()[:12]), Name: Text(name), Node: Text(node)}
	var bits [sha256.Size]byte
	_, _ = rand.Read(bits[:]) // never fails
	token = protocol.TokenPrefix + c.ID + "_" + base64.RawURLEncoding.EncodeToString(bits[:])
	c.Sum = sha256.Sum256([]byte(token))
	return c, token
}
