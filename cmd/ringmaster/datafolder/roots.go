package datafolder

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// rootsFile holds the folders that commands gave to the daemons that they started: the next one that is started so works there, too.
const rootsFile = "roots"

// maxRemembered bounds them; the oldest go first.
const maxRemembered = 32

// maxRoots bounds the file, in bytes.
const maxRoots = 1 << 20

// Remembered are the folders that commands gave to daemons, as far as they are still there. What cannot be read is nothing: a folder too
// few is refused, with what mends it.
func (f Folder) Remembered() []string {
	path := filepath.Join(f.Path, rootsFile)
	if info, err := os.Stat(path); err != nil || info.Size() > maxRoots {
		return nil
	}
	var list []string
	if text, err := os.ReadFile(path); err != nil || json.Unmarshal(text, &list) != nil {
		return nil
	}
	return slices.DeleteFunc(list, func(root string) bool {
		info, err := os.Stat(root)
		return err != nil || !info.IsDir() || !filepath.IsAbs(root)
	})
}

// Remember adds folders. The caller holds the folder's lock.
func (f Folder) Remember(roots []string) error {
	had := f.Remembered()
	list := slices.Clone(had)
	for _, r := range roots {
		if !slices.Contains(list, r) {
			list = append(list, r)
		}
	}
	if slices.Equal(list, had) {
		return nil
	}
	return f.writeRoots(list[max(0, len(list)-maxRemembered):])
}

// Forget takes one away, and says whether it was there. No daemon may run.
func (f Folder) Forget(root string) (bool, error) {
	list := f.Remembered()
	left := slices.DeleteFunc(slices.Clone(list), func(r string) bool { return r == root })
	if len(left) == len(list) {
		return false, nil
	}
	return true, f.writeRoots(left)
}

func (f Folder) writeRoots(list []string) error {
	text, err := json.Marshal(list)
	if err == nil {
		err = Replace(filepath.Join(f.Path, rootsFile), append(text, '\n'))
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("roots file: %w", err)
	}
	return err
}
