package access

import (
	"context"
	"sync"

	"go.uber.org/zap"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Audit writes one line for each verb that changes something, and for each that is refused for want of scope: the principal, the
// verb, the session and the outcome. No line has a text of a user or an agent.
type Audit struct{ log *zap.Logger }

// NewAudit writes to a log, under the name "audit".
func NewAudit(log *zap.Logger) *Audit { return &Audit{log.Named("audit")} }

// Verb is one call of an operation or a tool, from its beginning to its end. The session or token that it is about is noted through its
// context, by the code that finds out.
type Verb struct {
	audit   *Audit
	who     *Principal
	name    string
	request string
	changes bool

	mu      sync.Mutex
	session string
	token   string
	webhook string
	refused bool
	code    protocol.Code
}

type verbKey struct{}

// Begin begins a verb of the context's principal and request: an operation's id or a tool's name. changes says that it would change
// something.
func (a *Audit) Begin(ctx context.Context, name string, changes bool) (context.Context, *Verb) {
	v := &Verb{audit: a, who: Of(ctx), name: name, request: Request(ctx), changes: changes}
	return context.WithValue(ctx, verbKey{}, v), v
}

// Refused writes the line of a verb that was refused before it began.
func (a *Audit) Refused(ctx context.Context, name string) {
	_, v := a.Begin(ctx, name, true)
	v.refused = true
	v.End(protocol.CodeForbidden)
}

// End writes the line, where the verb changes something or was refused. outcome counts where no problem was noted; empty: the verb succeeded.
func (v *Verb) End(outcome protocol.Code) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if !v.changes && !v.refused {
		return
	}
	if v.code != "" {
		outcome = v.code
	}
	fields := make([]zap.Field, 0, 9)
	if v.who != nil {
		fields = append(fields, zap.String("principal", v.who.ID), zap.String("scope", string(v.who.Scope)))
		if v.who.Via != "" {
			fields = append(fields, zap.String("via", v.who.Via))
		}
		if v.who.Session != "" {
			fields = append(fields, zap.String("agent_of", v.who.Session))
		}
	}
	fields = append(fields, zap.String("operation", v.name))
	if v.session != "" {
		fields = append(fields, zap.String("session", v.session))
	}
	if v.token != "" {
		fields = append(fields, zap.String("token", v.token))
	}
	if v.webhook != "" {
		fields = append(fields, zap.String("webhook", v.webhook))
	}
	if outcome == "" {
		outcome = "ok"
	}
	v.audit.log.Info("verb", append(fields, zap.String("outcome", string(outcome)), zap.String("request", v.request))...)
}

// note changes what is known of a context's verb; without one it does nothing.
func note(ctx context.Context, change func(v *Verb)) {
	if v, ok := ctx.Value(verbKey{}).(*Verb); ok {
		v.mu.Lock()
		defer v.mu.Unlock()
		change(v)
	}
}

// noteSession notes which session a verb is about: the first that it asks for. A word that is no session id is left out: it may be a user's text.
func noteSession(ctx context.Context, id string) {
	note(ctx, func(v *Verb) {
		if v.session == "" && protocol.ValidSessionID(id) {
			v.session = id
		}
	})
}

func noteRefused(ctx context.Context) { note(ctx, func(v *Verb) { v.refused = true }) }

// NoteSession notes which session a verb is about that another node carries out.
func NoteSession(ctx context.Context, id string) { noteSession(ctx, id) }

// NoteToken notes which token a verb is about.
func NoteToken(ctx context.Context, id string) { note(ctx, func(v *Verb) { v.token = id }) }

// NoteWebhook notes which webhook a verb is about.
func NoteWebhook(ctx context.Context, id string) { note(ctx, func(v *Verb) { v.webhook = id }) }

// NoteProblem notes the code of the problem that a verb is answered with.
func NoteProblem(ctx context.Context, code protocol.Code) { note(ctx, func(v *Verb) { v.code = code }) }

// NoteRepeated notes that a verb is not done again: it was, and its answer is given once more.
func NoteRepeated(ctx context.Context) { note(ctx, func(v *Verb) { v.changes = false }) }

type requestKey struct{}

// WithRequest gives a context whose verbs are of a request of this id.
func WithRequest(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, requestKey{}, id)
}

// Request is the id of a context's request.
func Request(ctx context.Context) string {
	id, _ := ctx.Value(requestKey{}).(string)
	return id
}
