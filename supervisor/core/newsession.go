package core

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"unicode/utf8"

	session "github.com/ringmaster-agents/ringmaster/actors/session/core"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// NewSession is what a client wants.
type NewSession struct {
	Agent    string
	Cwd      string // absolute; must lie inside a configured root
	Model    string
	Mode     string // in the agent's own words; empty: its own
	Title    string
	Labels   map[string]string
	ParentID string
	Policy   *protocol.Policy // nil: everything is asked
	// Budget is what it may use; nil: whatever it needs.
	Budget *protocol.Budget `json:",omitempty"`
	// Endpoint is where the agent runs already; nil: it is started.
	Endpoint *adapters.Endpoint
	// NativeSessionID is the agent's own session to go on with; empty: a new one.
	NativeSessionID string
	// Owner is the owner of the token that makes it; empty: an administrator's token. A session that has a parent has the parent's owner.
	Owner string
	// Via is protocol.ViaMCP of a session that an MCP host makes.
	Via string `json:",omitempty"`
	// Spawned says that the agent of the parent session makes it: it has the parent's policy, ends with the parent, asks at its root
	// as well, and counts against SpawnDepth and SpawnLimit.
	Spawned bool
	// MCP gives its agent the daemon's MCP server.
	MCP bool
	// Key is the idempotency key of Create; zero: each call makes a session.
	Key Key `json:"-"`
}

// Key is the idempotency key of the creation of a session, or of the choice of one (spec §4.1). The zero Key is none.
type Key struct {
	By   string // its holder: equal keys of two principals are two
	Name string // as the client gives it; at most 128 bytes
	Body string // a digest of what is asked besides the session, such as its prompt: equal where that is equal

	sum string // of all that is asked with it
}

// Created is what Create and Claim give.
type Created struct {
	session.Summary
	Repeated bool // the key was used before: this is the session that it stands for
	Found    bool // the session was there already when the key was used first
}

const maxKey = 128 // bytes

// Keyed checks the key of a new session, and notes a digest of the client's wish, before missing members of it are filled in. Secrets
// have no part in the digest.
func (n *NewSession) Keyed() error {
	if n.Key.Name == "" {
		return nil
	}
	if len(n.Key.Name) > maxKey || !utf8.ValidString(n.Key.Name) {
		return &protocol.Problem{
			Code: protocol.CodeInvalidRequest, Detail: "The " + protocol.TermIdempotencyKey + " cannot be used.", Hint: "Keys have at most 128 bytes of UTF-8.",
		}
	}
	plain := *n
	if n.Endpoint != nil {
		plain.Endpoint = &adapters.Endpoint{URL: n.Endpoint.URL}
	}
	b, err := json.Marshal(struct {
		Session NewSession
		Body    string
	}{plain, n.Key.Body})
	sum := sha256.Sum256(b)
	n.Key.sum = hex.EncodeToString(sum[:12])
	return err
}

// Sum is of all that is asked with the key, once Keyed has noted it.
func (k Key) Sum() string { return k.sum }
