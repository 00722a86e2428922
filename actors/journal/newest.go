package journal

import (
	"fmt"
	"io/fs"

	"github.com/ringmaster-agents/ringmaster/actors/disk"
)

// Newest names the file of a journal that has its newest lines: each event that is appended makes it another version, or makes another file.
func Newest(files disk.FS, dir string) (name string, err error) {
	entries, err := files.List(dir)
	if err != nil {
		return "", err
	}
	var newest uint64
	var lines bool
	for _, e := range entries {
		n, suffix, ok := parseName(e.Name)
		if ok && n >= newest {
			lines = suffix == dataSuffix || lines && n == newest
			newest = n
		}
	}
	if !lines {
		return "", fmt.Errorf("journal: newest lines of %s: %w", dir, fs.ErrNotExist)
	}
	return dataName(newest), nil
}
