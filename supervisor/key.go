package supervisor

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"syscall"

	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor/core"
	"github.com/ringmaster-agents/ringmaster/supervisor/keyring"
	"go.uber.org/zap"
)

// Key is the idempotency key of the creation of a session, or of the choice of one (spec §4.1). The zero Key is none.
type Key = core.Key

// Created is what Create and Claim give.
type Created = core.Created

// Claim binds a key to a session that was found, unless it stands for one, and asks which it is.
type Claim struct {
	ask.Reply[Created]
	Session NewSession // as Create would get it, with its key
	ID      string     // of the session that was found
}

func (*Claim) message() {}

// BodyOf gives the Body of a key for anything that JSON has words for.
func BodyOf(asked any) string {
	h := sha256.New()
	if err := json.NewEncoder(h).Encode(asked); err != nil {
		return err.Error()
	}
	return hex.EncodeToString(h.Sum(nil))
}

// keys are the idempotency keys of clients, on the disk and on their way to it.
type keys struct {
	*keyring.Keyring
	log *zap.Logger
}

// bound is what a key stands for.
func (k *keys) bound(key Key) (b core.Bound) {
	if key.Name == "" {
		return b
	}
	is, known, safe := k.Find(key.By, key.Name)
	if !known {
		return b
	}
	return core.Bound{Session: is.Session, Sum: is.Sum, Safe: safe, Found: is.Found}
}

// bind has a key stand for a session from now on, and calls done once that is on the disk, or was refused. done must not block.
func (k *keys) bind(key Key, id string, found bool, done func(error)) {
	if key.Name == "" {
		done(nil)
		return
	}
	if !k.Put(keyring.Bound{By: key.By, Key: key.Name, Sum: key.Sum(), Session: id, Found: found}, done) {
		done(slowKeys())
	}
}

// claim binds the key of a question, and then answers it with the session that was found.
func (k *keys) claim(m *Claim, found Created) {
	k.bind(m.Session.Key, m.ID, true, func(err error) {
		if err != nil {
			k.log.Warn("idempotency key", zap.String("session", m.ID), zap.Error(err))
			err = cannotWrite(err)
		}
		m.Done(found, err)
	})
}

// onceSafe asks a question once the keys that were bound before are on the disk.
func (k *keys) onceSafe(question Message, to Ref) {
	if k.After(func() { to.Send(question) }) {
		return
	}
	if m, asks := question.(interface{ Fail(err error) }); asks {
		m.Fail(slowKeys())
	}
}

// drop waits until no key stands for a session any more, on the disk either.
func (k *keys) drop(id string) {
	done := make(chan error, 1)
	k.Forget(id, func(err error) { done <- err })
	if err := <-done; err != nil { // only logged: a key whose session is gone has no effect, and deleting must work on a full disk
		k.log.Warn("idempotency keys", zap.String("session", id), zap.Error(err))
	}
}

func slowKeys() error {
	return &protocol.Problem{
		Code: protocol.CodeOverloaded, Detail: "Too many calls with a " + protocol.TermIdempotencyKey + " wait for the disk.", Hint: "Try again in a moment.",
	}
}

// cannotWrite is the answer to a client whose new session, or key, the disk refused.
func cannotWrite(err error) error {
	if p, is := errors.AsType[*protocol.Problem](err); is {
		return p
	}
	detail, hint := "The data folder takes no new session.", "See the daemon's log."
	var w *store.WriteError
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		hint = "Free space on the disk of the daemon's data folder, and ask again." // there is no session that goes on by itself
	case errors.As(err, &w) && w.Hint != "":
		hint = w.Hint
	}
	if errno, is := errors.AsType[syscall.Errno](err); is {
		detail = "The data folder takes no new session: " + errno.Error() + "."
	}
	return &protocol.Problem{Code: protocol.CodeReadOnly, Detail: detail, Hint: hint}
}
