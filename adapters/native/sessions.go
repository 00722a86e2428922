package native

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

// Bounds of what is read to list the sessions that an agent keeps as files of JSON lines.
const (
	maxFiles    = 2000    // looked at, the newest
	maxListHead = 1 << 20 // bytes of each: its folder and first prompt stand at its beginning
	maxListName = 4 << 10 // bytes of a text that its title is made of
)

// Sessions lists what an agent keeps as one file of JSON lines for each session. files are their paths. read takes a line of one, says what
// it tells of the session, and whether more is wanted; a file whose session has no id or worked in another folder is left out. Links and
// what is no plain file are not followed: an agent's folder is written by the agent.
func Sessions(ctx context.Context, files []string, cwd string, read func(path string, line []byte, s *adapters.NativeSession) (more bool)) (
	[]adapters.NativeSession, error,
) {
	type found struct {
		path string
		info os.FileInfo
	}
	var list []found
	for _, path := range files {
		if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() {
			list = append(list, found{path, info})
		}
	}
	slices.SortFunc(list, func(a, b found) int {
		return cmp.Or(b.info.ModTime().Compare(a.info.ModTime()), strings.Compare(b.path, a.path))
	})
	out := []adapters.NativeSession{}
	for _, f := range list[:min(len(list), maxFiles)] {
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		s := adapters.NativeSession{Updated: f.info.ModTime()}
		err := Lines(f.path, maxListHead, func(line []byte) bool { return read(f.path, line, &s) })
		if err != nil || s.ID == "" || s.Cwd != cwd {
			continue // gone meanwhile, unreadable, or somebody else's
		}
		s.Title = Title(s.Title)
		if out = append(out, s); len(out) == adapters.MaxNative {
			break
		}
	}
	return out, nil
}

// Title is the beginning of a text in one line, at most 4 KiB, without a word that is cut. It is cut further where it is shown, behind a look for what must
// not be shown.
func Title(text string) string {
	words := strings.Fields(text[:min(len(text), maxListName)])
	if len(text) > maxListName && len(words) > 0 && (len(words) > 1 || len(words[0]) < maxListName/2) {
		words = words[:len(words)-1]
	}
	return strings.ToValidUTF8(strings.Join(words, " "), "")
}

// Lines gives the lines of a file, at most limit bytes of it, until more is false. The last one may be cut.
func Lines(path string, limit int64, take func(line []byte) (more bool)) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	in := bufio.NewReaderSize(io.LimitReader(f, limit), 64<<10)
	for {
		line, err := in.ReadBytes('\n')
		if line = bytes.TrimSpace(line); len(line) > 0 && !take(line) {
			return nil
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// Home is a folder of the agent's user: what a variable of its environment names, or a folder of the home.
func Home(env []string, variable string, below ...string) string {
	if variable != "" {
		if dir := adapters.Variable(env, variable); dir != "" {
			return dir
		}
	}
	return filepath.Join(append([]string{adapters.Variable(env, "HOME")}, below...)...)
}

// SafeID says that an agent's id of a session can be part of a file's name.
func SafeID(id string) bool {
	return id != "" && len(id) <= 128 && strings.Trim(id, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_") == ""
}
