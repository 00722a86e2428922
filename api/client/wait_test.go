package client

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// waits answers calls of wait, one after the other.
type waits struct {
	answers []any // a resource.WaitAnswer, an error of the connection, a problem, or a time after which nothing comes
	asked   []resource.WaitRequest
}

func (w *waits) RoundTrip(r *http.Request) (*http.Response, error) {
	text, _ := io.ReadAll(r.Body)
	var in resource.WaitRequest
	if err := json.Unmarshal(text, &in); err != nil {
		return nil, err
	}
	w.asked = append(w.asked, in)
	next := w.answers[0]
	w.answers = w.answers[1:]
	switch next := next.(type) {
	case error:
		var p *protocol.Problem
		if errors.As(next, &p) {
			text, _ := json.Marshal(p)
			return answer(p.Status, protocol.ProblemType, string(text)), nil
		}
		return nil, next
	case time.Duration:
		return nil, pause(r.Context(), next)
	default:
		text, err := json.Marshal(next)
		return answer(http.StatusOK, "application/json", string(text)), err
	}
}

// TestAwait waits over ends of calls, lost connections, a daemon that is full and one that went silent, and gives up where it must.
// Proves: I13.3/long
func TestAwait(t *testing.T) {
	held, not := resource.WaitAnswer{Held: true}, resource.WaitAnswer{}
	refused := &net.OpError{Op: "dial", Err: errors.New("refused")}
	full := protocol.NewProblem(protocol.CodeOverloaded, "", "")
	never := protocol.NewProblem(protocol.CodeSessionNotFound, "", "")
	turn := resource.WaitAnswer{Sessions: []resource.WaitedSession{{Turn: "t4"}}}
	for _, c := range []struct {
		name    string
		until   resource.WaitUntil
		answers []any
		asked   []string // turns
		held    bool
		never   bool
		fails   bool
		within  time.Duration
	}{
		{name: "at once", answers: []any{held}, held: true, asked: []string{""}},
		{name: "the time of a call is over", answers: []any{not, not, held}, held: true, asked: []string{"", "", ""}},
		{name: "cannot come any more", answers: []any{not, resource.WaitAnswer{Never: true}}, never: true, asked: []string{"", ""}},
		{name: "lost, and the daemon is away for a while", answers: []any{errCut, refused, refused, full, held}, held: true, asked: []string{"", "", "", "", ""}, within: 3 * time.Second},
		{name: "silent", answers: []any{24 * time.Hour, held}, held: true, asked: []string{"", ""}, within: 107 * time.Second},
		{name: "there is no daemon", answers: []any{refused}, fails: true, asked: []string{""}},
		{name: "full at the first try", answers: []any{full}, fails: true, asked: []string{""}},
		{name: "refused meanwhile", answers: []any{not, never}, fails: true, asked: []string{"", ""}},
		{
			name: "the turn that was current", until: resource.WaitUntil{Turn: "current"}, answers: []any{turn, errCut, turn, held}, held: true,
			asked: []string{"current", "t4", "t4", "t4"}, within: time.Second,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := &waits{answers: c.answers}
				began := time.Now()
				a, err := newClient("http://localhost", "the fake", "", w, nil).Await(t.Context(), resource.WaitRequest{Until: c.until})
				if a.Held != c.held || a.Never != c.never || (err != nil) != c.fails {
					t.Errorf("%+v, %v", a, err)
				}
				if took := time.Since(began); took > c.within {
					t.Errorf("it took %v", took)
				}
				turns := []string{}
				for i, r := range w.asked {
					turns = append(turns, r.Until.Turn)
					if looks := *r.TimeoutMs == 0; looks != (i == 0 && c.until.Turn == "current") {
						t.Errorf("call %d waits for %d ms", i, *r.TimeoutMs)
					}
				}
				if !slices.Equal(turns, c.asked) {
					t.Errorf("asked for the turns %q, want %q", turns, c.asked)
				}
			})
		})
	}
}

// TestAwaitEndsWithItsContext, in a call and between two.
func TestAwaitEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		why := errors.New("enough")
		for _, answers := range [][]any{{24 * time.Hour}, {errCut, errCut, errCut, errCut, errCut, errCut, errCut, errCut, errCut, errCut}} {
			ctx, cancel := context.WithTimeoutCause(t.Context(), 5*time.Second, why)
			w := &waits{answers: answers}
			if _, err := newClient("http://localhost", "the fake", "", w, nil).Await(ctx, resource.WaitRequest{}); !errors.Is(err, why) {
				t.Errorf("%v", err)
			}
			cancel()
		}
	})
}
