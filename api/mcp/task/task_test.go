package task

import (
	"context"
	"errors"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/control"
	"github.com/ringmaster-agents/ringmaster/api/mcp/problem"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// unfound are sessions none of which can be asked, for one reason.
type unfound struct{ why error }

func (u unfound) AtRest(context.Context, string) (*session.Description, error) { return nil, u.why }

func (u unfound) Find(context.Context, string) (session.Ref, error) { return session.Ref{}, u.why }

func (u unfound) FindAgain(context.Context, string) (session.Ref, error) { return session.Ref{}, u.why }

// TestNoPromptIsSaidOfPromptsAlone: where there is no session, or its log cannot be read, nothing is said of its prompts.
func TestNoPromptIsSaidOfPromptsAlone(t *testing.T) {
	for code, why := range map[protocol.Code]error{
		protocol.CodeSessionNotFound: protocol.NewProblem(protocol.CodeSessionNotFound, "No session has this id.", ""),
		protocol.CodeInternal:        errors.New("torn"),
	} {
		tasks := New(control.New(unfound{why}, nil), nil, nil, nil)
		_, _, err := tasks.Outcome(access.With(t.Context(), access.Root), "0b6c3a3e-5a0f-4f57-9a53-6a0f2d0c7f11", "p1")
		if problem.Of(err).Code != code {
			t.Errorf("%v, want %s", err, code)
		}
	}
	if err := noPrompt(errNoTask, "p1"); problem.Of(err).Code != protocol.CodePromptNotFound {
		t.Error(err)
	}
}
