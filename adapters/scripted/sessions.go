package scripted

import (
	"bytes"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"
)

// Sessions keeps the sessions of scripted agents.
type Sessions interface {
	// Open returns the lines of a session, none for a new one, and where to append to it. It is called once per run of
	// the agent, from its goroutine.
	Open(id string, now time.Time) (lines [][]byte, sink Sink, err error)
}

// Sink takes lines, without their newlines. The agent goes on when one cannot be written: so does Pi.
type Sink interface {
	Append(line []byte)
	// Path is the file; empty: there is none.
	Path() string
}

// Memory keeps sessions in memory: for tests, and for agents without a session folder. The zero value is ready to use;
// it is safe for concurrent use.
type Memory struct {
	mu   sync.Mutex
	kept map[string][][]byte
}

// Open returns a session.
func (m *Memory) Open(id string, _ time.Time) ([][]byte, Sink, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([][]byte(nil), m.kept[id]...), &memorySink{of: m, id: id}, nil
}

type memorySink struct {
	of *Memory
	id string
}

func (s *memorySink) Append(line []byte) {
	s.of.mu.Lock()
	defer s.of.mu.Unlock()
	if s.of.kept == nil {
		s.of.kept = map[string][][]byte{}
	}
	s.of.kept[s.id] = append(s.of.kept[s.id], bytes.Clone(line))
}

func (s *memorySink) Path() string { return "" }

const isoMillis = "2006-01-02T15:04:05.000Z"

// Files keeps sessions in a folder, one file each, named as Pi names them: TIME_ID.jsonl. The names begin with a time, so a session's file is found by
// reading the folder; that folder is one of 256 below Dir, or each start and each removal read the names of all sessions. Builds before kept the files
// in Dir itself, where they are still found.
type Files struct{ Dir string }

// of is the folder of a session's file.
func (f Files) of(id string) string {
	sum := fnv.New32a()
	_, _ = sum.Write([]byte(id))
	return filepath.Join(f.Dir, fmt.Sprintf("%02x", byte(sum.Sum32())))
}

// find gives a session's files, the newest last; there is one at most, but for folders that somebody has copied together.
func (f Files) find(id string) (files []string, err error) {
	for _, dir := range []string{f.Dir, f.of(id)} {
		list, err := os.ReadDir(dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		for _, e := range list {
			if strings.HasSuffix(e.Name(), "_"+id+".jsonl") {
				files = append(files, filepath.Join(dir, e.Name()))
			}
		}
	}
	return files, nil
}

// plainID is what a session id may look like: it becomes a part of a file's name.
var plainID = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)

// Open returns a session and cuts a torn last line off its file.
func (f Files) Open(id string, now time.Time) ([][]byte, Sink, error) {
	if len(id) > 128 || !plainID.MatchString(id) {
		return nil, nil, fmt.Errorf("session id %q: letters, digits, '.', '_' and '-' only, 128 at most", id)
	}
	if err := os.MkdirAll(f.of(id), 0o700); err != nil {
		return nil, nil, err
	}
	old, err := f.find(id)
	if err != nil {
		return nil, nil, err
	}
	path := filepath.Join(f.of(id), strings.NewReplacer(":", "-", ".", "-").Replace(now.UTC().Format(isoMillis))+"_"+id+".jsonl")
	if len(old) > 0 {
		path = old[len(old)-1]
	}
	data, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		return nil, nil, err
	}
	whole := data[:bytes.LastIndexByte(data, '\n')+1]
	if len(whole) < len(data) {
		if err := os.Truncate(path, int64(len(whole))); err != nil {
			return nil, nil, err
		}
	}
	var lines [][]byte
	for line := range bytes.Lines(whole) {
		lines = append(lines, bytes.TrimSuffix(line, []byte("\n")))
	}
	return lines, fileSink(path), nil
}

// Remove removes a session's file; one that is not there is no error.
func (f Files) Remove(id string) error {
	if !plainID.MatchString(id) {
		return nil // none was made
	}
	files, err := f.find(id)
	for _, file := range files {
		if e := os.Remove(file); !errors.Is(e, fs.ErrNotExist) {
			err = errors.Join(err, e)
		}
	}
	return err
}

// fileSink opens the file for each line: there are few, and nothing has to be closed when the agent is killed.
type fileSink string

func (s fileSink) Append(line []byte) {
	f, err := os.OpenFile(string(s), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return
	}
	defer f.Close()
	_, _ = f.Write(append(bytes.Clone(line), '\n'))
}

func (s fileSink) Path() string { return string(s) }
