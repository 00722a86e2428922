package supervisor

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"unicode/utf8"

	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor/keyring"
	"go.uber.org/zap"
)

// Key makes the creation of a session, or the choice of one, something that can be asked for again (spec §4.1). The zero Key is none.
type Key struct {
	By   string // whose key it is: equal keys of two principals are two
	Name string // as the client says it; at most 128 bytes
	Body string // of what is asked besides the session, such as its prompt: equal where that is equal

	sum string // of all that is asked with it
}

// Created is what Create and Claim give.
type Created struct {
	session.Summary
	Repeated bool // the key was used before: this is the session that it stands for
	Found    bool // the session was there already when the key was used first
}

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

const maxKey = 128 // bytes

// keyed looks at the key of what a client wants, and notes what it is for, before anything that is missing there is filled in. What is
// secret has no part in that.
func (n *NewSession) keyed() error {
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
		plain.Endpoint = &Endpoint{URL: n.Endpoint.URL}
	}
	b, err := json.Marshal(struct {
		Session NewSession
		Body    string
	}{plain, n.Key.Body})
	sum := sha256.Sum256(b)
	n.Key.sum = hex.EncodeToString(sum[:12])
	return err
}

// repeated answers a creation, or a claim, whose key is known; false: it is not. The session may be in the making still, and the key on its
// way to the disk: then the question is asked again.
func (s *state) repeated(n *NewSession, answer ask.Reply[Created], question Message) bool {
	if n.Key.Name == "" {
		return false
	}
	k, known, safe := s.keys.Find(n.Key.By, n.Key.Name)
	x := s.members[k.Session]
	if !known || x == nil || len(x.deleting) > 0 {
		return false // it was deleted, and its key with it
	}
	switch {
	case k.Sum != n.Key.sum:
		answer.Fail(&protocol.Problem{
			Code: protocol.CodeConflict, Detail: "The " + protocol.TermIdempotencyKey + " was used for something else, in session " + k.Session + ".",
			Hint: "Give each session that you want a key of its own, and repeat a call as it was.",
		})
	case x.creating != nil:
		x.repeats = append(x.repeats, answer)
	case !safe:
		self := s.self
		if !s.keys.After(func() { self.Send(question) }) {
			answer.Fail(slowKeys())
		}
	default:
		answer.Send(Created{Summary: *x.current(), Repeated: true, Found: k.Found})
	}
	return true
}

func (s *state) claim(m *Claim) {
	switch x := s.members[m.ID]; {
	case s.repeated(&m.Session, m.Reply, m):
	case x == nil || len(x.deleting) > 0:
		m.Fail(NotFound())
	default:
		found, log := Created{Summary: *x.current(), Found: true}, s.cfg.Log
		s.bind(&m.Session, m.ID, true, func(err error) {
			if err != nil {
				log.Warn("idempotency key", zap.String("session", m.ID), zap.Error(err))
				err = cannotWrite(err)
			}
			m.Done(found, err)
		})
	}
}

// bind has a key stand for a session from now on, and calls done once that is on the disk, or was refused. done must not block.
func (s *state) bind(n *NewSession, id string, found bool, done func(error)) {
	if n.Key.Name == "" {
		done(nil)
		return
	}
	if !s.keys.Put(keyring.Bound{By: n.Key.By, Key: n.Key.Name, Sum: n.Key.sum, Session: id, Found: found}, done) {
		done(slowKeys())
	}
}

func slowKeys() error {
	return &protocol.Problem{
		Code: protocol.CodeOverloaded, Detail: "Too many calls with a " + protocol.TermIdempotencyKey + " wait for the disk.", Hint: "Try again in a moment.",
	}
}

// answerCreate answers whoever has asked for a session that was in the making.
func (x *member) answerCreate(err error) {
	m, repeats := x.creating, x.repeats
	x.creating, x.repeats = nil, nil
	if m == nil {
		return
	}
	m.Done(Created{Summary: x.summary}, err)
	for _, r := range repeats {
		r.Done(Created{Summary: x.summary, Repeated: true}, err)
	}
}
