package session

import (
	"context"

	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// waitsForSomebody says that nothing goes on before somebody answers.
func waitsForSomebody(s *protocol.Status) bool {
	return s.State == protocol.StateAwaitingApproval || s.State == protocol.StateAwaitingInput
}

// withWaiting adds the sessions of later pages that wait for somebody.
func withWaiting(ctx context.Context, c *client.Client, q client.Query, list []resource.SessionSummary) ([]resource.SessionSummary, error) {
	if len(q.States) > 0 || q.Active != nil && !*q.Active {
		return list, nil
	}
	q.States, q.Limit = []string{string(protocol.StateAwaitingApproval), string(protocol.StateAwaitingInput)}, client.MostListed
	page, err := c.List(ctx, q)
	if err != nil {
		return nil, err
	}
	listed := map[string]bool{}
	for i := range list {
		listed[list[i].ID] = true
	}
	for i := range page.Sessions {
		if !listed[page.Sessions[i].ID] {
			list = append(list, page.Sessions[i])
		}
	}
	return list, nil
}

// familyRow is a session in a list, depth steps below the one at the left.
type familyRow struct {
	*resource.SessionSummary
	depth int
}

// familyRows puts each session below the one that it works for, where that is in the list, and the families that wait for somebody first;
// else the order stays.
func familyRows(list []resource.SessionSummary) []familyRow {
	at := map[string]int{}
	for i := range list {
		at[list[i].ID] = i
	}
	children := make([][]int, len(list))
	var roots []int
	for i := range list {
		if p, ok := at[list[i].ParentSessionID]; ok && p != i {
			children[p] = append(children[p], i)
		} else {
			roots = append(roots, i)
		}
	}
	var waits func(i int) bool
	waits = func(i int) bool {
		if waitsForSomebody(&list[i].Status) {
			return true
		}
		for _, c := range children[i] {
			if waits(c) {
				return true
			}
		}
		return false
	}
	rows := make([]familyRow, 0, len(list))
	var add func(group []int, depth int)
	add = func(group []int, depth int) {
		for _, first := range []bool{true, false} {
			for _, i := range group {
				if waits(i) == first {
					rows = append(rows, familyRow{&list[i], depth})
					add(children[i], depth+1)
				}
			}
		}
	}
	add(roots, 0)
	return rows
}
