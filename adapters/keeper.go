package adapters

import (
	"context"
	"time"
)

// NativeSession is a session that an agent has of its own on this machine.
type NativeSession struct {
	ID      string // what Spec.NativeSessionID takes
	Cwd     string // where it worked, as the agent wrote it
	Title   string // what the agent calls it, or the beginning of its first prompt: one line of at most 120 bytes; empty: not known
	Updated time.Time
}

// MaxNative is how many sessions Keeper.NativeSessions gives at most.
const MaxNative = 200

// Keeper is an Agent whose own sessions can be listed without running it.
type Keeper interface {
	Agent
	// NativeSessions gives those that worked in the folder cwd, the newest first, at most MaxNative. env is the environment that the agent
	// would get: it says where the agent keeps them. Where it keeps none there are none, without an error.
	NativeSessions(ctx context.Context, env []string, cwd string) ([]NativeSession, error)
}

// Teller is an Agent whose own sessions only its program can list. That takes seconds, so it is asked only where this agent's are wanted.
type Teller interface {
	Agent
	// TellSessions gives those that worked in spec.Cwd, as Keeper.NativeSessions does, by running spec.Program with spec.Env.
	TellSessions(ctx context.Context, spec Spec) ([]NativeSession, error)
}

// Silent is an Agent that says nothing of the earlier conversation when it goes on with a session of its own: it is read from where the
// agent keeps it.
type Silent interface {
	Agent
	// Past gives the lines that the agent keeps of spec.NativeSessionID, as far as it worked in spec.Cwd, oldest first: Spec.Past.
	Past(ctx context.Context, spec Spec) ([][]byte, error)
}
