package wire

import (
	"errors"
	"net/http"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/objects"
	"github.com/ringmaster-agents/ringmaster/actors/store"
)

// Code is what a program looks at.
type Code string

// The codes. Of an object store's errors, those that Core has as well have Core's codes.
const (
	CodeAway     Code = "away"      // core.AwayError: it may have happened
	CodeAccess   Code = "access"    // core.AccessError
	CodeSchema   Code = "schema"    // core.SchemaError
	CodeRefused  Code = "refused"   // core.RefusedError
	CodeCold     Code = "cold"      // core.ColdError
	CodeGone     Code = "gone"      // store.GoneError
	CodeBeyond   Code = "beyond"    // store.BeyondError
	CodeDamage   Code = "damage"    // store.DamageError
	CodeFull     Code = "full"      // core.FullError, objects.FullError
	CodeNotFound Code = "no_object" // objects.NotFoundError

	// Of the wire itself: to the contract they are an AccessError.
	CodeVersion    Code = "version"    // the client speaks another version
	CodeCredential Code = "credential" // the token is none, or was made void
	CodeForbidden  Code = "forbidden"  // this node may not do that
)

// Problem is an error on its way (RFC 9457).
type Problem struct {
	Type   string `json:"type"` // Kind and the code
	Status int    `json:"status"`
	Code   Code   `json:"code"`
	Detail string `json:"detail"`
	Hint   string `json:"hint,omitempty"`

	Have   uint32 `json:"have,omitempty"`   // schema, version
	Want   uint32 `json:"want,omitempty"`   // likewise
	First  uint64 `json:"first,omitempty"`  // cold
	Oldest uint64 `json:"oldest,omitempty"` // gone
	Newest uint64 `json:"newest,omitempty"` // beyond
	File   string `json:"file,omitempty"`   // damage
	Offset int64  `json:"offset,omitempty"` // damage
	Seq    uint64 `json:"seq,omitempty"`    // damage
}

var statuses = map[Code]int{
	CodeAway: http.StatusServiceUnavailable, CodeAccess: http.StatusBadGateway, CodeSchema: http.StatusBadGateway, CodeRefused: http.StatusUnprocessableEntity,
	CodeCold: http.StatusBadGateway, CodeGone: http.StatusGone, CodeBeyond: http.StatusRequestedRangeNotSatisfiable, CodeDamage: http.StatusBadGateway,
	CodeFull: http.StatusInsufficientStorage, CodeNotFound: http.StatusNotFound, CodeVersion: http.StatusNotFound, CodeCredential: http.StatusUnauthorized,
	CodeForbidden: http.StatusForbidden,
}

// Kind begins the types of problems.
const Kind = "urn:ringmaster:core:"

// NewProblem makes one of a code.
func NewProblem(code Code, detail, hint string) *Problem {
	return &Problem{Type: Kind + string(code), Status: statuses[code], Code: code, Detail: detail, Hint: hint}
}

// ProblemOf is an error of the contract as a problem. What a database or an object store says of itself stays with the server: nodes are told that it is so,
// and what the operator can do. Whatever is not of the contract is away: nothing is known of it.
func ProblemOf(err error) *Problem {
	var access *core.AccessError
	var schema *core.SchemaError
	var refused *core.RefusedError
	var full *core.FullError
	var without *core.ColdError
	var gone *store.GoneError
	var beyond *store.BeyondError
	var damage *store.DamageError
	switch {
	case errors.As(err, &access):
		return NewProblem(CodeAccess, "Core's own store refuses it", access.Hint)
	case errors.As(err, &schema):
		p := NewProblem(CodeSchema, schema.Problem(), schema.Hint())
		p.Have, p.Want = schema.Have, schema.Want
		return p
	case errors.As(err, &refused):
		return NewProblem(CodeRefused, refused.Err.Error(), "")
	case errors.As(err, &full):
		return NewProblem(CodeFull, full.Problem(), full.Hint())
	case errors.As(err, &without):
		p := NewProblem(CodeCold, without.Problem(), without.Hint())
		p.First = without.First
		return p
	case errors.As(err, &gone):
		p := NewProblem(CodeGone, gone.Error(), "")
		p.Oldest = gone.Oldest
		return p
	case errors.As(err, &beyond):
		p := NewProblem(CodeBeyond, beyond.Error(), "")
		p.Newest = beyond.Newest
		return p
	case errors.As(err, &damage):
		p := NewProblem(CodeDamage, damage.Problem, damage.Hint)
		p.File, p.Offset, p.Seq = damage.File, damage.Offset, damage.Seq
		return p
	}
	return stored(err)
}

// stored is an error of an object store.
func stored(err error) *Problem {
	var access *objects.AccessError
	var full *objects.FullError
	var refused *objects.RefusedError
	var missing *objects.NotFoundError
	switch {
	case errors.As(err, &access):
		return NewProblem(CodeAccess, "Core's object store refuses it", access.Hint)
	case errors.As(err, &full):
		return NewProblem(CodeFull, "Core's object store is full", "")
	case errors.As(err, &refused):
		return NewProblem(CodeRefused, refused.Err.Error(), "")
	case errors.As(err, &missing):
		p := NewProblem(CodeNotFound, "there is no such object", "")
		p.File = missing.Key
		return p
	}
	return NewProblem(CodeAway, "Core does not answer", "it is tried again")
}

// Error is the problem as Core's contract has it, of a call.
func (p *Problem) Error(op string) error {
	switch p.Code {
	case CodeSchema:
		return &core.SchemaError{Have: p.Have, Want: p.Want}
	case CodeRefused:
		return &core.RefusedError{Op: op, Err: errors.New(p.Detail)}
	case CodeCold:
		return &core.ColdError{Op: op, First: p.First}
	case CodeGone:
		return &store.GoneError{Oldest: p.Oldest}
	case CodeBeyond:
		return &store.BeyondError{Newest: p.Newest}
	case CodeDamage:
		return &store.DamageError{File: p.File, Offset: p.Offset, Seq: p.Seq, Problem: p.Detail, Hint: p.Hint}
	case CodeAccess, CodeVersion, CodeCredential, CodeForbidden:
		return &core.AccessError{Op: op, Err: &core.ReasonError{Words: p.Detail}, Hint: p.Hint}
	case CodeFull:
		return &core.FullError{Op: op, Err: errors.New(p.Detail)}
	case CodeAway, CodeNotFound:
	}
	return &core.AwayError{Op: op, Err: errors.New(p.Detail)}
}

// Stored is the problem as an object store's contract has it.
func (p *Problem) Stored(op string) error {
	switch p.Code {
	case CodeRefused:
		return &objects.RefusedError{Op: op, Err: errors.New(p.Detail)}
	case CodeFull:
		return &objects.FullError{Op: op, Err: errors.New(p.Detail)}
	case CodeNotFound:
		return &objects.NotFoundError{Op: op, Key: p.File}
	case CodeAccess, CodeVersion, CodeCredential, CodeForbidden, CodeSchema:
		return &objects.AccessError{Op: op, Err: errors.New(p.Detail), Hint: p.Hint}
	case CodeAway, CodeCold, CodeGone, CodeBeyond, CodeDamage:
	}
	return &objects.AwayError{Op: op, Err: errors.New(p.Detail)}
}
