package supervisor

import (
	"errors"

	"github.com/ringmaster-agents/ringmaster/actors/store"
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
	if left.Owed > 0 {
		log.Warn("the disk has no room for the ends of logs, which are kept: their sessions take nothing until it has", zap.Int("logs", left.Owed))
	}
	for _, err := range left.Errors {
		log.Error("the end of a log may be lost", zap.Error(err))
	}
	return s, nil
}

// short is a log of which the disk has no room for the end: it can be read as far as it goes, and takes nothing. Another actor opens it when it is whole.
type short struct {
	store.Writer
	err error
}

// Recover implements store.Writer.
func (s short) Recover(uint64) error { return s.err }

// openWhole opens a log once its end is where it belongs; until there is room for that it is a short one, with the error that says so.
func openWhole(syncer *groupsync.Syncer, logs store.Store, id string, how store.Opening, visit func([]byte) error) (store.Writer, store.Recovery, error) {
	owed := syncer.Mended(id)
	how.ReadOnly = how.ReadOnly || owed != nil
	j, rec, err := logs.Open(id, how, visit)
	if owed != nil && j != nil {
		return short{j, owed}, rec, owed
	}
	return j, rec, err
}

// reopenMended has sessions whose logs were short begin again once they are whole.
func (s *state) reopenMended() {
	self, log := s.self, s.cfg.Log
	s.syncer.OnMended(func(id string) {
		log.Info("mended a log for which there was no room", zap.String("session", id))
		self.Send(&reopen{id, 0})
	})
}
