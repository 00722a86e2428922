package pgtest

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/ringmaster-agents/ringmaster/actors/core/postgres/server"
)

// handOver gives a folder to the user that the server runs as, and lets it pass through the folder for temporary files, which tests make for
// themselves alone.
func handOver(folder string) error {
	if os.Geteuid() != 0 {
		return nil
	}
	above := filepath.Dir(folder)
	info, err := os.Stat(above)
	if err != nil {
		return err
	}
	if info.Mode().Perm()&1 == 0 {
		if err := os.Chmod(above, info.Mode()|0o011); err != nil {
			return err
		}
	}
	return server.HandOver(folder)
}

// isMissing says that there is no private server since its programs are not there, or refuse whoever asks.
func isMissing(err error) bool {
	var e *server.Error
	return errors.As(err, &e) && (e.Reason == server.Missing || e.Reason == server.Root)
}
