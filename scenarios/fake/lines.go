package fake

import (
	"bytes"
	"io"
	"sync"
)

// lines is the face of a program that speaks over its standard streams.
type lines struct {
	out io.Writer
	log stderrLines
}

func (l *lines) write(text []byte)  { _, _ = l.out.Write(text) } // nobody may read any more
func (l *lines) stderr(line string) { l.log.add(line) }
func (l *lines) cut()               {}

// stderrLines keeps what was written on standard error, and passes it on.
type stderrLines struct {
	to io.Writer // nil: nowhere

	mu   sync.Mutex
	kept []string
}

func (s *stderrLines) add(line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept = append(s.kept, line)
	if s.to != nil {
		_, _ = io.WriteString(s.to, line+"\n")
	}
}

func (s *stderrLines) all() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.kept
}

// input cuts what is written to it into lines for a queue. It has one writer.
type input struct {
	queue *queue
	rest  []byte
}

func (i *input) Write(b []byte) (int, error) {
	i.rest = append(i.rest, b...)
	for {
		line, rest, whole := bytes.Cut(i.rest, []byte("\n"))
		if !whole {
			return len(b), nil
		}
		i.queue.push(heard{line: bytes.Clone(line)})
		i.rest = rest
	}
}

// Close ends the input.
func (i *input) Close() error {
	i.queue.end()
	return nil
}
