package scenarios

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// uses are the steps of an agent whose one reply uses so many tokens and tells no cost.
func uses(tokens int) string {
	return fmt.Sprintf(`{"usage": {"input": %d, "output": 10, "unpriced": true}}, {"say": {"text": "done"}}`, tokens-10)
}

// household asks a daemon about budgets.
type household struct {
	*built
	ctx context.Context
}

func (h *household) call(method, path string, in, out any) int {
	h.t.Helper()
	body, err := json.Marshal(in)
	if err != nil {
		h.t.Fatal(err)
	}
	if in == nil {
		body = nil
	}
	a, err := ask(h.ctx, h, method, path, http.Header{}, body)
	if err != nil {
		h.t.Fatal(err)
	}
	if out != nil {
		if err := json.Unmarshal(a.body, out); err != nil {
			h.t.Fatalf("%s %s: %s", method, path, a.body)
		}
	}
	return a.status
}

func (h *household) session(parent string, budget *resource.NewBudget) string {
	h.t.Helper()
	var made resource.CreatedSession
	if status := h.call(http.MethodPost, "/sessions", resource.NewSession{Agent: "scripted", Cwd: h.root, ParentSessionID: parent, Budget: budget}, &made); status != http.StatusCreated {
		h.t.Fatalf("a session: %d", status)
	}
	return made.ID
}

func (h *household) budget(id string) (b resource.SessionBudget) {
	h.t.Helper()
	if status := h.call(http.MethodGet, "/sessions/"+id+"/budget", nil, &b); status != http.StatusOK {
		h.t.Fatalf("the budget of %s: %d", id, status)
	}
	return b
}

// budgetTime is how long a busy machine may take to count what was used.
const budgetTime = 30 * time.Second

// tree checks what a session and those below it have used: at one price for all tokens.
func (h *household) tree(id string, tokens int64) {
	h.t.Helper()
	for over := time.After(budgetTime); ; { // a session shows its event before the supervisor counts it
		b := h.budget(id)
		if b.Tree.Tokens == tokens && b.Tree.CostMicros == 2*tokens {
			return
		}
		select {
		case <-over:
			h.t.Fatalf("the tree of %s has used %+v, want %d tokens", id, b.Tree, tokens)
		case <-time.After(10 * time.Millisecond):
		}
	}
}

func (h *household) again() {
	h.t.Helper()
	err := h.kill(false, 0)
	if err == nil {
		err = h.start()
	}
	if err != nil {
		h.t.Fatal(err)
	}
}

// completed waits for the end of a session's turn number n, from 1.
func (h *household) turn(id string, n int) *protocol.TurnState {
	h.t.Helper()
	var turn *protocol.TurnState
	await(h.ctx, h.t, h, id, func(s *protocol.SessionState) bool {
		if len(s.Turns) < n || s.Turns[n-1].EndSeq == 0 {
			return false
		}
		turn = s.Turns[n-1]
		return true
	})
	return turn
}

// marked waits until the log of a session says of its tree's tokens that they are so.
func (h *household) marked(id string, scope protocol.BudgetScope, state protocol.BudgetState) {
	h.t.Helper()
	await(h.ctx, h.t, h, id, func(s *protocol.SessionState) bool {
		for _, m := range s.Marks {
			if m.Scope == scope && m.Limit == protocol.LimitTokens && m.State == state {
				return true
			}
		}
		return false
	})
}

// TestBudgets has the built program reach the limit of a tree, with each action, where the sessions of the tree have used it together and the daemon is killed in the middle of a
// turn; and the limit of an owner, whose sessions are deleted meanwhile. What was used is counted once, and costs what the price file said when it was used.
//
// Proves: I13.11/actions, I13.11/owners, I13.11/removed, T29/cost
func TestBudgets(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: starts processes")
	}
	prices := filepath.Join(t.TempDir(), "prices.json")
	if err := os.WriteFile(prices, []byte(`{"scripted/*": {"input": 2, "output": 2}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("RINGMASTER_PRICES", prices)
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	h := &household{newBuilt(t, t.TempDir()), ctx}
	if err := h.start(); err != nil {
		t.Fatal(err)
	}
	for _, action := range []protocol.BudgetAction{protocol.BudgetWarn, protocol.BudgetPause, protocol.BudgetInterrupt, protocol.BudgetEnd} {
		t.Run(string(action), func(t *testing.T) {
			h := &household{h.built, ctx}
			h.t = t
			root := h.session("", &resource.NewBudget{Tree: &resource.NewLimits{Tokens: 1000}, Action: action})
			child := h.session(root, nil)
			prompt(ctx, t, h, child, "["+uses(500)+"]", "")
			h.turn(child, 1)
			prompt(ctx, t, h, root, "["+uses(400)+`,{"tool": {"name": "look", "output": ["x"]}},{"stall": {}}]`, "")
			h.marked(child, protocol.ScopeTree, protocol.BudgetWarned) // by what the root has used
			h.again()
			h.tree(root, 900)
			if got := h.turn(root, 1); got.Status != protocol.TurnInterrupted && got.Status != protocol.TurnError {
				t.Errorf("the turn in which the daemon was killed: %s", got.Status)
			}
			prompt(ctx, t, h, root, `[{"stall": {}}]`, "")
			await(ctx, t, h, root, func(s *protocol.SessionState) bool { return len(s.Turns) == 2 })
			prompt(ctx, t, h, child, "["+uses(150)+"]", "")
			h.turn(child, 2)
			h.marked(root, protocol.ScopeTree, protocol.BudgetReached)
			switch action {
			case protocol.BudgetInterrupt:
				if got := h.turn(root, 2); got.Status != protocol.TurnInterrupted || got.Cause != protocol.CauseBudget {
					t.Errorf("the turn at the limit: %s, by %s", got.Status, got.Cause)
				}
			case protocol.BudgetEnd:
				for _, id := range []string{root, child} {
					await(ctx, t, h, id, func(s *protocol.SessionState) bool { return s.End != nil })
				}
			default:
				post(ctx, t, h, "/sessions/"+root+"/interrupt", "", nil)
				h.turn(root, 2)
			}
			h.again()
			h.tree(root, 1050)
			if action == protocol.BudgetEnd {
				return
			}
			prompt(ctx, t, h, child, "["+uses(20)+"]", "")
			if action == protocol.BudgetWarn {
				h.turn(child, 3)
				h.tree(root, 1070)
				return
			}
			if status := h.call(http.MethodPost, "/sessions", resource.NewSession{Agent: "scripted", Cwd: h.root, ParentSessionID: child}, nil); status != http.StatusConflict {
				t.Errorf("a session below a tree that is used up: %d", status)
			}
			h.again() // the prompt waits on
			h.tree(root, 1050)
			if status := h.call(http.MethodPut, "/sessions/"+root+"/budget", resource.NewBudget{Tree: &resource.NewLimits{Tokens: 5000}, Action: action}, nil); status != http.StatusOK {
				t.Fatalf("more room: %d", status)
			}
			h.turn(child, 3)
			h.tree(root, 1070)
		})
	}
	t.Run("owner", func(t *testing.T) {
		h := &household{h.built, ctx}
		h.t = t
		var ann resource.CreatedToken
		if status := h.call(http.MethodPost, "/tokens", resource.NewToken{Name: "ann", Scope: "owner", Owner: "ann"}, &ann); status != http.StatusCreated {
			t.Fatalf("a token: %d", status)
		}
		admin := h.secret
		owned := func(parent string) string {
			h.secret = ann.Token
			defer func() { h.secret = admin }()
			return h.session(parent, nil)
		}
		spent := func(tokens int64) {
			t.Helper()
			for over := time.After(budgetTime); ; { // as in tree
				var b resource.OwnerBudget
				if h.call(http.MethodGet, "/budgets/ann", nil, &b); b.Spent.Tokens == tokens && b.Spent.CostMicros == 2*tokens {
					return
				}
				select {
				case <-over:
					t.Fatalf("ann has used %+v, want %d tokens", b.Spent, tokens)
				case <-time.After(10 * time.Millisecond):
				}
			}
		}
		before := owned("")
		prompt(ctx, t, h, before, "["+uses(70)+"]", "")
		h.turn(before, 1)
		set := resource.NewOwnerBudget{Limits: resource.NewLimits{Tokens: 1000}}
		if status := h.call(http.MethodPut, "/budgets/ann", set, nil); status != http.StatusOK {
			t.Fatalf("the owner's budget: %d", status)
		}
		root := owned("")
		child := owned(root)
		stays := owned("")
		for id, tokens := range map[string]int{root: 300, child: 200, stays: 350} {
			prompt(ctx, t, h, id, "["+uses(tokens)+"]", "")
			h.turn(id, 1)
		}
		h.marked(stays, protocol.ScopeOwner, protocol.BudgetWarned)
		h.call(http.MethodDelete, "/sessions/"+child, nil, nil)
		h.again()
		h.tree(root, 500)
		spent(850)
		h.call(http.MethodDelete, "/sessions/"+root, nil, nil)
		h.again()
		spent(850)
		prompt(ctx, t, h, stays, "["+uses(160)+"]", "")
		h.marked(stays, protocol.ScopeOwner, protocol.BudgetReached)
		prompt(ctx, t, h, stays, "["+uses(30)+"]", "")
		h.again()
		spent(1010)
		set.Anew = true
		h.call(http.MethodPut, "/budgets/ann", set, nil)
		h.turn(stays, 3)
		spent(30)
	})
	if err := h.drain(); err != nil {
		t.Error(err)
	}
	for _, problem := range h.problems(false) {
		t.Error(problem)
	}
}
