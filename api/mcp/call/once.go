package call

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/failpoint"
	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/mcp/problem"
	"github.com/ringmaster-agents/ringmaster/api/submission"
	"github.com/ringmaster-agents/ringmaster/api/submission/core"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Once is the argument by which a tool that changes something is carried out once (spec §7.16). A tool has it by embedding it in its arguments.
type Once struct {
	Key string `json:"idempotency_key,omitempty" maxLength:"128" jsonschema:"of your choice, another one for each call, at most 128 bytes. A call that got no answer is repeated as it was, with its key: it is done once all the same, and its answer comes again"`
}

// keyed are the arguments of a tool that is carried out once for a key.
type keyed interface {
	key() string
	// About says what a call with these arguments is about.
	About() About
}

// About is what a call is about.
type About struct {
	Session string
	LookAt  string // call of a tool that shows what came of it; empty: session_get of the session
	Reads   bool   // it changes nothing: a key is passed over
}

func (o Once) key() string { return o.Key }

// counts says that a key makes a difference: something may change. An id that is none is refused by the tool, and is not kept.
func (a About) counts() bool {
	return !a.Reads && (protocol.ValidSessionID(a.Session) || a.Session == "" && a.LookAt != "")
}

func (a About) lookAt() string {
	if a.LookAt == "" {
		return "session_get with session_id " + a.Session
	}
	return a.LookAt
}

// Submissions are the calls that come with a key. HTTP has the same register: a key of a principal is one, wherever it comes.
type Submissions struct {
	Kept *submission.Submissions
	Life context.Context // of the service: a call that was accepted ends with it, and not with its client
	Wait time.Duration   // for a call with the same key that is at work
	Work time.Duration   // at most, of a call that was accepted
}

// maxKey is how long a key may be, in bytes.
const maxKey = 128

// once carries a call out that may have a key: it gives the output of act, or what an earlier call with the key has answered.
func (s *Submissions) once(ctx context.Context, c *Call, in any, act func(context.Context) (any, error)) (any, error) {
	k, ok := in.(keyed)
	if !ok || k.key() == "" || !k.About().counts() {
		return act(ctx)
	}
	if len(k.key()) > maxKey {
		return nil, problem.Invalid("The "+protocol.TermIdempotencyKey+" cannot be used.", "Keys have at most 128 bytes.")
	}
	about := k.About()
	waiting, cancel := context.WithTimeout(ctx, s.Wait)
	defer cancel()
	running, v, err := s.Kept.Submit(waiting, core.Submission{
		Key: core.Key{By: c.Who.Share(), Name: k.key()}, Operation: c.Params.Name, Session: about.Session, Sum: sumOf(c.Params.Arguments),
		LookAt: about.lookAt(),
	})
	switch {
	case err != nil:
		return nil, submission.AtWork()
	case running != nil:
		return s.carryOut(ctx, c, running, act)
	}
	if p := submission.Problem(&v); p != nil {
		return nil, p
	}
	access.NoteRepeated(ctx)
	return repeated(v.Answer.Body)
}

// carryOut does what was accepted. It goes on when its client is gone: the client may come back and ask.
func (s *Submissions) carryOut(ctx context.Context, c *Call, running *submission.Running, act func(context.Context) (any, error)) (any, error) {
	failpoint.Hit("call/afterAccepted")
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.Work)
	defer cancel()
	defer context.AfterFunc(s.Life, cancel)()
	ended := false
	defer func() {
		if !ended { // it panicked
			running.Unsure()
		}
	}()
	out, err := act(ctx)
	outcome, body := outcomeOf(c, out, err)
	ended = true
	failpoint.Hit("call/beforeAnswered")
	switch outcome {
	case core.Done:
		running.Done(core.Answer{Body: body})
	case core.Refused:
		running.Refused(core.Answer{Body: body})
	case core.Unsure:
		running.Unsure()
	}
	failpoint.Hit("call/afterAnswered")
	return out, err
}

// outcomeOf says what the end of a call means for its key, and what its repeats get.
func outcomeOf(c *Call, out any, err error) (core.Outcome, string) {
	var k kept
	outcome := core.Done
	switch p := problem.Of(err); {
	case err == nil:
		k.Data, err = json.Marshal(out)
		if w, worded := out.(Worded); worded {
			k.Text = w.Words()
		}
	case errors.As(err, new(*InputRequiredError)), !c.acted && submission.Undone(p.Code):
		outcome, k.Problem, err = core.Refused, p, nil
	}
	text, failed := json.Marshal(&k)
	if err != nil || failed != nil {
		return core.Unsure, ""
	}
	return outcome, string(text)
}

// kept is an answer as it is kept.
type kept struct {
	Problem *protocol.Problem `json:"problem,omitempty"` // of a refusal, which those are told that waited for it
	Text    string            `json:"text,omitempty"`
	Data    json.RawMessage   `json:"data,omitempty"`
}

// repeated is the answer of an earlier call.
func repeated(body string) (any, error) {
	var k kept
	if err := json.Unmarshal([]byte(body), &k); err != nil {
		return nil, err
	}
	if k.Problem != nil {
		return nil, k.Problem
	}
	return &replay{k}, nil
}

// replay is the output of a tool that was called before, marked as that.
type replay struct{ kept }

// replayed is the member of an output that says so.
const replayed = "replayed"

// MarshalJSON adds the mark to what the tool has answered, which is an object.
func (r *replay) MarshalJSON() ([]byte, error) {
	var comma string
	if !bytes.Equal(r.Data, []byte("{}")) {
		comma = ","
	}
	return append(bytes.Clone(r.Data[:len(r.Data)-1]), comma+`"`+replayed+`":true}`...), nil
}

// Words are those of then.
func (r *replay) Words() string {
	return "Done before, with this idempotency_key; this is what was answered then.\n" + r.Text
}

// sumOf tells contents apart: arguments without the key. The order of members does not count, since hosts encode anew what a model has written.
func sumOf(arguments json.RawMessage) string {
	var members map[string]any
	d := json.NewDecoder(bytes.NewReader(arguments))
	d.UseNumber()
	if d.Decode(&members) != nil {
		members = nil // they were read before
	}
	delete(members, "idempotency_key")
	text, err := json.Marshal(members)
	if err != nil {
		text = arguments // what was decoded always encodes
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
