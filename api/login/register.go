package login

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/guard"
	"github.com/ringmaster-agents/ringmaster/api/operation"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// Config is what logins need.
type Config struct {
	Tokens *access.Tokens
	Audit  *access.Audit
	Now    func() time.Time
	Info   func(access.Token) resource.TokenInfo // how a token is shown
}

// desk has what the operations share.
type desk struct {
	Config
	room *Room
}

// Register puts the operations of logins into a table.
func Register(t *operation.Table, c Config) {
	d := &desk{c, NewRoom(c.Now)}
	operation.Register(t, operation.Operation{
		ID: "askLogin", Method: http.MethodPost, Path: "/logins", Tag: "daemon", Status: http.StatusCreated, Need: guard.Own, Secret: true,
		Summary: "Ask for a link that logs a page in",
		Text: "A code that is good once, for a minute. The page that is opened with it in the fragment of its address trades it for a token of its own, " +
			"which may do what this token may. The token of a page cannot ask.",
		Errors: []int{http.StatusTooManyRequests},
	}, d.ask)
	operation.Register(t, operation.Operation{
		ID: "login", Method: http.MethodPost, Path: "/login", Tag: "daemon", Status: http.StatusCreated, Open: true, Reads: true, MaxBody: 1 << 10,
		Summary: "Trade a code for a token", Text: "Needs no token: the code is the credential. Ten a minute are taken, and ten wrong ones.",
		Errors: []int{http.StatusNotFound, http.StatusTooManyRequests, http.StatusServiceUnavailable},
	}, d.login)
	operation.Register(t, operation.Operation{
		ID: "endLogin", Method: http.MethodDelete, Path: "/login", Tag: "daemon", Need: guard.Own,
		Summary: "Log out", Text: "Makes the token of the page that asks void, at once. A token that is no login's is refused.",
		Errors: []int{http.StatusBadRequest},
	}, d.end)
}

func (d *desk) ask(ctx context.Context, _ *struct{}) (*struct{ Body resource.LoginCode }, error) {
	by := access.Of(ctx)
	if err := d.Tokens.MayLogin(by); err != nil { // who asks is told, not the page
		return nil, err
	}
	code, expires, err := d.room.Ask(by)
	if err != nil {
		return nil, err
	}
	return &struct{ Body resource.LoginCode }{resource.LoginCode{Code: code, Path: "/#login=" + code, ExpiresAt: expires.UTC()}}, nil
}

// login has an audit line where it succeeds, in the name of the token that asked for it. What nobody was let in with has none: else anybody who
// reaches the port fills a disk.
func (d *desk) login(ctx context.Context, in *struct{ Body resource.NewLogin }) (*struct{ Body resource.CreatedToken }, error) {
	if err := access.CheckLogin(in.Body.Name); err != nil { // before the code is used up
		return nil, err
	}
	by, err := d.room.Take(in.Body.Code)
	if err != nil {
		return nil, err
	}
	noted, verb := d.Audit.Begin(access.With(ctx, by), "login", true)
	made, secret, err := d.Tokens.Login(by, in.Body.Name)
	if err != nil {
		verb.End(outcome(err))
		return nil, err
	}
	access.NoteToken(noted, made.ID)
	verb.End("")
	return &struct{ Body resource.CreatedToken }{resource.CreatedToken{TokenInfo: d.Info(made), Token: secret}}, nil
}

func outcome(err error) protocol.Code {
	var p *protocol.Problem
	if errors.As(err, &p) {
		return p.Code
	}
	return protocol.CodeInternal
}

func (d *desk) end(ctx context.Context, _ *struct{}) (*struct{}, error) {
	p := access.Of(ctx)
	if p.AskedBy == "" {
		return nil, &protocol.Problem{
			Code: protocol.CodeInvalidRequest, Detail: "This token is no login's.", Hint: "A token that somebody made is revoked with ringmaster token revoke.",
		}
	}
	access.NoteToken(ctx, p.ID)
	return nil, d.Tokens.Revoke(p.ID)
}
