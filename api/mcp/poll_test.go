package mcp

import (
	"context"
	"errors"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/mcp/problem"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// torn is a backend that cannot read a log.
type torn struct{ hollow }

func (torn) Find(context.Context, string) (session.Ref, error) {
	return session.Ref{}, errors.New("torn")
}

// TestNoPromptIsSaidOfPromptsAlone: where there is no session, or its log cannot be read, nothing is said of its prompts.
func TestNoPromptIsSaidOfPromptsAlone(t *testing.T) {
	for code, b := range map[protocol.Code]Backend{protocol.CodeSessionNotFound: hollow{}, protocol.CodeInternal: torn{}} {
		s := New(Config{Backend: b})
		defer s.Close()
		if _, err := s.tasks.over(access.With(t.Context(), access.Root), "0b6c3a3e-5a0f-4f57-9a53-6a0f2d0c7f11", "p1"); problem.Of(err).Code != code {
			t.Errorf("%v, want %s", err, code)
		}
	}
	if err := noPrompt(errNoTask, "p1"); problem.Of(err).Code != protocol.CodePromptNotFound {
		t.Error(err)
	}
}
