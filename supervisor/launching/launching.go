// Package launching starts the agents of sessions: it reads what an agent must know that goes on with its own session, makes the connection, and keeps
// those that nobody asks for from beginning all at once.
package launching

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/connection"
	"github.com/ringmaster-agents/ringmaster/actors/failpoint"
	"github.com/ringmaster-agents/ringmaster/actors/secret"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/supervisor/resume"
	"github.com/ringmaster-agents/ringmaster/supervisor/workdir"
	"go.uber.org/zap"
)

// startTimeout is how long the process of an agent, or the connection to one, may take.
const startTimeout = 30 * time.Second

// Config is what a Launcher works with.
type Config struct {
	Pool      *connection.Pool
	Transport adapters.Transport
	Tokens    *secret.Tokens
	Log       *zap.Logger
}

// Launcher starts agents. Its methods may be called from several goroutines.
type Launcher struct {
	cfg Config
	gate
}

// New makes a Launcher.
func New(cfg Config) *Launcher { return &Launcher{cfg, newGate(perProcessor * runtime.GOMAXPROCS(0))} }

// Start is an agent that is to be started.
type Start struct {
	Agent   adapters.Agent
	Spec    adapters.Spec
	Session session.Ref // is asked for its log where the agent goes on with its own session
	Roots   []string    // that the session's folder must be inside of
	Fresh   bool        // the session has had no turn
	Unasked bool        // it waits for its turn among those that begin so
}

// Begun is what has become of a Start.
type Begun struct {
	Spec adapters.Spec // with what was found out
	Conn adapters.Conn // nil: Err says why
	Err  error
	Up   func() // counts with Conn: to be called when the agent takes prompts or has ended, and may be called again
}

// Launch starts an agent, and returns when it is connected. One that is started unasked waits for its turn; life ends all of it.
func (l *Launcher) Launch(life context.Context, turn *Turn, s *Start) Begun {
	b := Begun{Spec: s.Spec, Up: func() {}}
	// An agent that runs elsewhere begins nothing here.
	if s.Unasked && s.Spec.Endpoint == nil {
		if b.Up, b.Err = l.enter(turn); b.Err != nil {
			return b
		}
	}
	ctx, cancel := context.WithTimeout(life, startTimeout)
	defer cancel()
	if b.Err = l.inform(ctx, s, &b.Spec); b.Err == nil {
		b.Conn, b.Err = l.open(ctx, s, b.Spec)
	}
	failpoint.Hit("launching/afterSpawn")
	if b.Err != nil {
		b.Up()
	}
	return b
}

// inform finds out what the agent must be told.
func (l *Launcher) inform(ctx context.Context, s *Start, spec *adapters.Spec) error {
	if spec.Resume {
		spec.Known, spec.Unbound = resume.IDs(ctx, s.Session, spec.Endpoint != nil)
		spec.Recall = spec.Recall && s.Fresh && len(spec.Known)+len(spec.Unbound) == 0
	}
	if silent, is := s.Agent.(adapters.Silent); is && spec.Recall && spec.Endpoint == nil {
		var err error
		if spec.Past, err = silent.Past(ctx, *spec); err != nil { // only logged: the log lacks the earlier conversation, the agent has it
			l.cfg.Log.Warn("read a session's past", zap.String("session", spec.SessionID), zap.Error(err))
		}
		for _, line := range spec.Past { // lines that come over a connection are masked there
			l.cfg.Tokens.Mask(line)
		}
	}
	if spec.Program == "" && spec.Endpoint == nil { // the agent was not looked for yet: the session is of an earlier daemon
		i := s.Agent.Find(ctx)
		if i.Program == "" {
			return errors.New(strings.TrimSpace(i.Problem + " " + i.Hint))
		}
		spec.Program, spec.Version = i.Program, i.Version
	}
	return nil
}

func (l *Launcher) open(ctx context.Context, s *Start, spec adapters.Spec) (adapters.Conn, error) {
	// The folder was inside a root when the session was made; roots and links may have changed since.
	if err := workdir.Check(s.Roots, spec.Cwd); err != nil {
		return nil, err
	}
	return l.cfg.Pool.Open(ctx, s.Agent, spec, l.cfg.Transport)
}
