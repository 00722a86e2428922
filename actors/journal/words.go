package journal

import "github.com/ringmaster-agents/ringmaster/actors/store"

// The words that all stores share.
type (
	Batch    = store.Batch
	Source   = store.Source
	Span     = store.Span
	Recovery = store.Recovery
	Info     = store.Info

	WriteError   = store.WriteError
	ReadError    = store.ReadError
	DamageError  = store.DamageError
	VersionError = store.VersionError
	GoneError    = store.GoneError
	BeyondError  = store.BeyondError
	BatchError   = store.BatchError
)

// The reasons inside a *WriteError that do not come from the disk.
var (
	ErrClosed    = store.ErrClosed
	ErrReadOnly  = store.ErrReadOnly
	ErrChanged   = store.ErrChanged
	ErrForgotten = store.ErrForgotten
)
