package audit

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"sync"
	"time"
)

// Recorder keeps the history of one client, in memory and as NDJSON in a file. It is safe for concurrent use.
type Recorder struct {
	path   string
	client string
	now    func() time.Duration

	mu      sync.Mutex
	file    *os.File
	out     *bufio.Writer
	history History
	err     error // the first of the disk
}

// NewRecorder makes the file, which must not exist. now is monotonic, since the run began.
func NewRecorder(path, client string, now func() time.Duration) (*Recorder, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, fmt.Errorf("history: %w", err)
	}
	return &Recorder{path: path, client: client, now: now, file: f, out: bufio.NewWriter(f)}, nil
}

// Path is where the file is.
func (r *Recorder) Path() string { return r.path }

// Add keeps an entry, with the client's name and the time. Call it once the bytes have arrived.
func (r *Recorder) Add(e Entry) {
	r.mu.Lock()
	defer r.mu.Unlock()
	e.Client, e.At = r.client, r.now()
	r.history = append(r.history, e)
	b, err := json.Marshal(e)
	if err == nil {
		_, err = r.out.Write(append(b, '\n'))
	}
	if r.err == nil {
		r.err = err
	}
}

// History is what was kept so far. It must not be changed.
func (r *Recorder) History() History {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.history[:len(r.history):len(r.history)]
}

// Flush writes what was kept to the file.
func (r *Recorder) Flush() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.out.Flush(); r.err == nil {
		r.err = err
	}
	return r.err
}

// Close flushes and closes the file. The history stays.
func (r *Recorder) Close() error {
	err := r.Flush()
	if closeErr := r.file.Close(); err == nil {
		err = closeErr
	}
	return err
}

// ReadHistory reads the file of a Recorder.
func ReadHistory(path string) (History, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("history: %w", err)
	}
	defer f.Close() // opened for reading
	var h History
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var e Entry
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			return nil, fmt.Errorf("history: %s, line %d: %w", path, len(h)+1, err)
		}
		h = append(h, e)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("history: %s: %w", path, err)
	}
	return h, nil
}
