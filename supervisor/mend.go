package supervisor

import (
	"errors"

	"github.com/ringmaster-agents/ringmaster/actors/tails"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor/folder"
	"github.com/ringmaster-agents/ringmaster/supervisor/groupsync"
	"go.uber.org/zap"
)

// openSyncer mends the logs that a loss of power has left short, and tells of it. An error is a *protocol.Problem.
func openSyncer(cfg groupsync.Config, data folder.Data, log *zap.Logger) (*groupsync.Syncer, error) {
	s, left, err := groupsync.Open(cfg)
	switch {
	case errors.Is(err, tails.ErrVersion):
		return nil, &protocol.Problem{
			Code: protocol.CodeUnavailable, Detail: "Ends of logs cannot be read: " + err.Error() + ".",
			Hint: "Start that version and end it in order; after that this one can work on the folder.",
		}
	case err != nil:
		return nil, folder.Unusable(data.Root, err)
	}
	if left.Mended > 0 {
		log.Info("mended logs that a loss of power had left short",
			zap.Int("logs", left.Mended), zap.Int64("bytes", left.Bytes), zap.Int("kept", left.Logs))
	}
	for _, err := range left.Errors {
		log.Error("the end of a log may be lost", zap.Error(err))
	}
	return s, nil
}
