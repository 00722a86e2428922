package coreapi

import (
	"errors"

	"github.com/ringmaster-agents/ringmaster/actors/core/wire"
)

// problemError is a refusal in the wire's own words.
type problemError struct{ *wire.Problem }

func (p *problemError) Error() string { return p.Detail }

func forbidden(detail, hint string) error {
	return &problemError{wire.NewProblem(wire.CodeForbidden, detail, hint)}
}

// problemOf is an error as it is told.
func problemOf(err error) *wire.Problem {
	var p *problemError
	if errors.As(err, &p) {
		return p.Problem
	}
	return wire.ProblemOf(err)
}
