package protocol

import "fmt"

// Budget bounds what a session may use, and what it and all sessions below it may use together (spec §4.12). Without limits it bounds nothing.
type Budget struct {
	Session *Limits      `json:"session,omitempty"` // what this session may use
	Tree    *Limits      `json:"tree,omitempty"`    // what it and all sessions below it may use together
	Action  BudgetAction `json:"action,omitempty"`  // what is done when a limit is reached; absent: pause
	WarnAt  int          `json:"warnAt,omitempty"`  // percent of a limit from which on it is warned of, 1 to 100; absent: 80
	Extra   []Member     `json:"-"`
}

// Limits are the most that may be used. What is absent is not bounded.
type Limits struct {
	Tokens     int64    `json:"tokens,omitempty"`     // input and output of model requests
	CostMicros int64    `json:"costMicros,omitempty"` // millionths of a US dollar
	WorkMs     int64    `json:"workMs,omitempty"`     // milliseconds at work
	Turns      int64    `json:"turns,omitempty"`      // that have ended
	ToolCalls  int64    `json:"toolCalls,omitempty"`  // that have ended
	Children   int64    `json:"children,omitempty"`   // sessions that are made to work for others
	Extra      []Member `json:"-"`
}

// BudgetAction is what is done when a limit is reached.
type BudgetAction string

// The actions, from the mildest to the strongest.
const (
	BudgetWarn      BudgetAction = "warn"      // the log says it, and nothing else
	BudgetPause     BudgetAction = "pause"     // prompts wait until there is room again; the running turn goes on
	BudgetInterrupt BudgetAction = "interrupt" // the running turn is interrupted as well
	BudgetEnd       BudgetAction = "end"       // the session is ended
)

// Rank orders actions: the stronger has the higher one. An empty word is pause; one that this build does not know is the mildest.
func (a BudgetAction) Rank() int {
	switch a {
	case BudgetPause, "":
		return 1
	case BudgetInterrupt:
		return 2
	case BudgetEnd:
		return 3
	default:
		return 0
	}
}

// BudgetScope says whose use a limit bounds.
type BudgetScope string

// The scopes.
const (
	ScopeSession BudgetScope = "session" // of the session
	ScopeTree    BudgetScope = "tree"    // of a session and all below it together
	ScopeOwner   BudgetScope = "owner"   // of all sessions of an owner together
)

// BudgetLimit names a limit.
type BudgetLimit string

// The limits, as the members of Limits are called.
const (
	LimitTokens    BudgetLimit = "tokens"
	LimitCost      BudgetLimit = "costMicros"
	LimitWork      BudgetLimit = "workMs"
	LimitTurns     BudgetLimit = "turns"
	LimitToolCalls BudgetLimit = "toolCalls"
	LimitChildren  BudgetLimit = "children"
)

// BudgetState says where what is used stands to its limit.
type BudgetState string

// The states.
const (
	BudgetWarned  BudgetState = "warned"  // near the limit
	BudgetReached BudgetState = "reached" // at the limit or beyond it; of children: beyond it
	BudgetLifted  BudgetState = "lifted"  // neither any more: there is more room
)

// BudgetMark says of one limit that what it bounds is near it, has reached it, or is away from it again (spec §4.12).
type BudgetMark struct {
	Scope  BudgetScope  `json:"scope"`            // whose use is bounded
	Of     string       `json:"of,omitempty"`     // of a tree: the session at its root; of an owner: the owner's name
	Limit  BudgetLimit  `json:"limit"`            // which limit
	State  BudgetState  `json:"state"`            // warned, reached or lifted
	Spent  int64        `json:"spent"`            // what was used when this was found
	Max    int64        `json:"max"`              // the limit
	Action BudgetAction `json:"action,omitempty"` // what is done where it is reached; absent: pause
}

// MaxBudget bounds a limit, so that sums of what is spent stay numbers that every client holds.
const MaxBudget = 1_000_000_000_000_000

const budgetHint = "A budget is {session, tree, action, warnAt}; limits are tokens, costMicros, workMs, turns, toolCalls and children, each from 1."

// Check says what is wrong with a budget that a client sent: a *Problem with CodeInvalidRequest, or nil.
func (b *Budget) Check() error {
	bad := func(detail string) error { return NewProblem(CodeInvalidRequest, detail, budgetHint) }
	switch b.Action {
	case "", BudgetWarn, BudgetPause, BudgetInterrupt, BudgetEnd:
	default:
		return NewProblem(CodeInvalidRequest, "The budget has no such action.", "Actions are warn, pause, interrupt and end.")
	}
	if b.WarnAt < 0 || b.WarnAt > 100 {
		return bad("The budget's warnAt is no percentage from 1 to 100.")
	}
	if len(b.Extra) > 0 {
		return bad(fmt.Sprintf("The budget has the unknown member %.64q.", b.Extra[0].Key))
	}
	for _, l := range []*Limits{b.Session, b.Tree} {
		if l == nil {
			continue
		}
		if len(l.Extra) > 0 {
			return bad(fmt.Sprintf("There is no limit %.64q.", l.Extra[0].Key))
		}
		for _, n := range []int64{l.Tokens, l.CostMicros, l.WorkMs, l.Turns, l.ToolCalls, l.Children} {
			if n < 0 || n > MaxBudget {
				return bad(fmt.Sprintf("A limit of the budget is out of range: 1 to %d.", int64(MaxBudget)))
			}
		}
	}
	return nil
}

// Unbounded says that a budget bounds nothing. The budget may be nil.
func (b *Budget) Unbounded() bool { return b == nil || b.Session == nil && b.Tree == nil }

// Same says that two marks say the same, whatever was used.
func (m *BudgetMark) Same(o *BudgetMark) bool {
	return m.Of == o.Of && m.Scope == o.Scope && m.Limit == o.Limit && m.State == o.State && m.Max == o.Max && m.Action == o.Action
}

// About says that two marks are about the same limit.
func (m *BudgetMark) About(o *BudgetMark) bool {
	return m.Scope == o.Scope && m.Of == o.Of && m.Limit == o.Limit
}

func (*BudgetMark) Type() Type { return TypeBudget }

func (m *BudgetMark) code(c *coder) {
	c.str("scope", (*string)(&m.Scope))
	c.optStr("of", &m.Of)
	c.str("limit", (*string)(&m.Limit))
	c.str("state", (*string)(&m.State))
	c.int64("spent", &m.Spent)
	c.int64("max", &m.Max)
	c.optStr("action", (*string)(&m.Action))
}

func (b *Budget) code(c *coder) {
	optObject(c, "session", &b.Session)
	optObject(c, "tree", &b.Tree)
	c.optStr("action", (*string)(&b.Action))
	c.optInt("warnAt", &b.WarnAt)
	c.rest(&b.Extra)
}

func (l *Limits) code(c *coder) {
	c.optInt64("tokens", &l.Tokens)
	c.optInt64("costMicros", &l.CostMicros)
	c.optInt64("workMs", &l.WorkMs)
	c.optInt64("turns", &l.Turns)
	c.optInt64("toolCalls", &l.ToolCalls)
	c.optInt64("children", &l.Children)
	c.rest(&l.Extra)
}
