package datafolder

import (
	"errors"
	"os"

	"github.com/ringmaster-agents/ringmaster/actors/failpoint"
)

// Replace writes a file that is there as a whole or not at all, whenever the process or the machine ends. The caller holds the
// folder's lock: what an earlier daemon left of its own attempt is written over.
func Replace(path string, text []byte) error {
	fresh := path + ".new"
	file, err := os.OpenFile(fresh, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	if err = errors.Join(err, file.Sync(), file.Close()); err == nil {
		failpoint.Hit("datafolder/beforeRename")
		err = os.Rename(fresh, path)
	}
	if err != nil {
		_ = os.Remove(fresh) // best effort: the next one writes over it
	}
	return err
}
