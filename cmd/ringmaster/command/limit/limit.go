// Package limit reads and shows what budgets bound, as it stands on the command line.
package limit

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/exit"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// Help is the form of a budget on the command line.
const Help = "as LIMIT=NUMBER,…: tokens, cost (US dollars), work (a duration such as 90m), turns, calls, children; with session. or tree. in front " +
	"(tree, when absent: the session and all below it); action=warn, pause, interrupt or end; warn=PERCENT"

// Number is what is used, or may be, for people.
func Number(n int64) string { return strconv.FormatInt(n, 10) }

// Dollars are millionths of one.
func Dollars(n int64) string { return fmt.Sprintf("$%.4f", float64(n)/1e6) }

// Duration is in milliseconds.
func Duration(n int64) string {
	return (time.Duration(n) * time.Millisecond).Round(time.Second).String()
}

// Parse reads a budget of the command line; "none" is one without limits.
func Parse(text string) (*resource.NewBudget, error) {
	b := &resource.NewBudget{}
	if text == "none" {
		return b, nil
	}
	for part := range strings.SplitSeq(text, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		if err := set(b, name, value); err != nil {
			return nil, exit.Usagef("budget %q: %v; want limits %s", part, err, Help)
		}
	}
	return b, nil
}

func set(b *resource.NewBudget, name, value string) (err error) {
	switch name {
	case "action":
		b.Action = protocol.BudgetAction(value)
		return nil
	case "warn":
		b.WarnAt, err = strconv.Atoi(strings.TrimSuffix(value, "%"))
		return err
	}
	scope, limit, is := strings.Cut(name, ".")
	if !is {
		scope, limit = "tree", name
	}
	to := &b.Tree
	switch scope {
	case "session":
		to = &b.Session
	case "tree":
	default:
		return fmt.Errorf("no scope %s", scope)
	}
	if *to == nil {
		*to = &resource.NewLimits{}
	}
	return Set(*to, limit, value)
}

// Set sets one limit, as it is called on the command line.
func Set(l *resource.NewLimits, limit, value string) (err error) {
	count := func(to *int64) {
		if *to, err = strconv.ParseInt(value, 10, 64); err == nil && *to < 1 {
			err = fmt.Errorf("%s is less than 1", value)
		}
	}
	switch limit {
	case "tokens":
		count(&l.Tokens)
	case "turns":
		count(&l.Turns)
	case "calls", "toolCalls":
		count(&l.ToolCalls)
	case "children":
		count(&l.Children)
	case "costMicros":
		count(&l.CostMicros)
	case "cost":
		amount, bad := strconv.ParseFloat(strings.TrimPrefix(value, "$"), 64)
		if l.CostMicros = (&protocol.Cost{Total: amount}).Micros(); bad != nil || l.CostMicros < 1 {
			err = fmt.Errorf("%q is no amount of US dollars", value)
		}
	case "work":
		d, bad := time.ParseDuration(value)
		if l.WorkMs = d.Milliseconds(); bad != nil || l.WorkMs < 1 {
			err = fmt.Errorf("%q is no duration", value)
		}
	default:
		err = fmt.Errorf("no limit %q", limit)
	}
	return err
}

// Warn says what budgets do not do. That is beside the answer: a warning that cannot be written costs nobody the answer.
func Warn(to io.Writer, warnings []resource.BudgetWarning) {
	for _, w := range warnings {
		_, _ = fmt.Fprintf(to, "warning: %s\nhint: %s\n", w.Detail, w.Hint)
	}
}
