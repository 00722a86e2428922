// Package profile shows administrators where the daemon's time and memory go.
package profile

import (
	"bytes"
	"context"
	"net/http"
	"runtime"
	"runtime/pprof"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/ringmaster-agents/ringmaster/api/guard"
	"github.com/ringmaster-agents/ringmaster/api/operation"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// processor is the profile that takes time.
const processor = "profile"

type input struct {
	Profile string `path:"profile" enum:"allocs,goroutine,heap,profile,threadcreate" doc:"Which; profile is that of the processor's time"`
	Seconds int    `query:"seconds" minimum:"1" maximum:"60" default:"10" doc:"How long the processor's time is looked at"`
	Collect bool   `query:"collect" doc:"Collect garbage first, so that heap tells what is in use now"`
}

// Register adds the operation to a table; closing ends a profile that takes time. A profile has names of functions
// and numbers, and nothing that users or agents wrote.
func Register(closing context.Context, t *operation.Table) {
	operation.Register(t, operation.Operation{
		ID: "getProfile", Method: http.MethodGet, Path: "/debug/pprof/{profile}", Tag: "daemon", Need: guard.Admin,
		Summary: "Read a profile of the daemon",
		Text: "In the format of pprof, packed with gzip: go tool pprof FILE shows it. Of the processor's time there is one profile at a time. " +
			"Needs a token of the scope admin.",
		Errors: []int{http.StatusConflict},
		Responses: map[string]*huma.Response{"200": {Description: "The profile", Content: map[string]*huma.MediaType{
			"application/octet-stream": {Schema: &huma.Schema{Type: huma.TypeString, Format: "binary"}},
		}}},
	}, func(ctx context.Context, in *input) (*huma.StreamResponse, error) {
		return read(ctx, closing, in)
	})
}

func read(ctx, closing context.Context, in *input) (*huma.StreamResponse, error) {
	if in.Profile == processor {
		return ofTime(ctx, closing, time.Duration(in.Seconds)*time.Second)
	}
	if in.Collect {
		runtime.GC()
	}
	p := pprof.Lookup(in.Profile)
	return binary(func(w http.ResponseWriter) { _ = p.WriteTo(w, 0) }), nil // who has gone needs no answer
}

// ofTime looks for so long, or until the caller has gone or the daemon ends.
func ofTime(ctx, closing context.Context, long time.Duration) (*huma.StreamResponse, error) {
	var found bytes.Buffer // written at the profile's end
	if err := pprof.StartCPUProfile(&found); err != nil {
		return nil, protocol.NewProblem(protocol.CodeConflict, "A profile of the processor's time is being made.", "Ask again when it is done.")
	}
	timer := time.NewTimer(long)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	case <-closing.Done():
	}
	pprof.StopCPUProfile()
	return binary(func(w http.ResponseWriter) { _, _ = w.Write(found.Bytes()) }), nil
}

// binary is an answer of bytes.
func binary(write func(http.ResponseWriter)) *huma.StreamResponse {
	return &huma.StreamResponse{Body: func(hc huma.Context) {
		_, w := humago.Unwrap(hc)
		w.Header().Set("Content-Type", "application/octet-stream")
		write(w)
	}}
}
