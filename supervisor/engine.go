package supervisor

import (
	"context"
	"log/slog"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/ringmaster-agents/ringmaster/actors/mailbox"
	"go.uber.org/zap"
	"go.uber.org/zap/exp/zapslog"
)

// newSystem makes the engine, with its log on ours. The engine's own dead-letter log prints whole messages, which carry
// prompts: it is switched off. After end no goroutine of an actor waits for work.
func newSystem(log *zap.Logger) (system *actor.ActorSystem, end func()) {
	handler := warnings{zapslog.NewHandler(log.Named("engine").Core())}
	system = actor.NewActorSystem(
		actor.WithLoggerFactory(func(*actor.ActorSystem) *slog.Logger { return slog.New(handler) }),
		actor.WithDeadLetterThrottleCount(0),
	)
	return system, mailbox.Reuse(system)
}

// warnings leaves out of the engine's log what is no warning, whatever level ours has now or later. zap's own way to do that complains on standard error
// where our level is higher already, and then lets all through.
type warnings struct{ slog.Handler }

func (w warnings) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn && w.Handler.Enabled(ctx, level)
}

func (w warnings) WithAttrs(attrs []slog.Attr) slog.Handler {
	return warnings{w.Handler.WithAttrs(attrs)}
}

func (w warnings) WithGroup(name string) slog.Handler { return warnings{w.Handler.WithGroup(name)} }
