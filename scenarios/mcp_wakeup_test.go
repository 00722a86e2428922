package scenarios

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// subscription is a client that is woken when a session's log has grown, and then reads what is new of the resource.
type subscription struct {
	client  *mcpClient
	session string // id
	cursor  string // up to which it has read
	read    []byte // the lines, under the client's mu
	woken   chan struct{}
	cancel  context.CancelFunc
	done    chan struct{}
}

func (s *subscription) uri() string { return "session://" + s.session + "/log" }

// subscribe begins with what is there.
func (c *mcpClient) subscribe(id string) error {
	s := &subscription{client: c, session: id, woken: make(chan struct{}, 1)}
	c.mu.Lock()
	c.subscribed = append(c.subscribed, s)
	c.mu.Unlock()
	return s.start()
}

func (s *subscription) start() error {
	if err := s.client.session.Subscribe(s.client.w.ctx, &sdk.SubscribeParams{URI: s.uri()}); err != nil {
		return fmt.Errorf("subscribe to %s: %w", s.uri(), err)
	}
	ctx, cancel := context.WithCancel(s.client.w.ctx)
	s.cancel, s.done = cancel, make(chan struct{})
	s.wake()
	go s.run(ctx, s.done)
	return nil
}

func (s *subscription) stop() {
	if s.done == nil {
		return
	}
	s.cancel()
	<-s.done
	s.done = nil
}

func (s *subscription) wake() {
	select {
	case s.woken <- struct{}{}:
	default:
	}
}

// updated wakes those who read the resource.
func (c *mcpClient) updated(uri string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, s := range c.subscribed {
		if s.uri() == uri {
			s.wake()
		}
	}
}

// run reads whenever it is woken; it ends with ctx, or with the wire.
func (s *subscription) run(ctx context.Context, done chan<- struct{}) {
	defer close(done)
	for {
		select {
		case <-s.woken:
		case <-ctx.Done():
			return
		}
		for more := true; more; {
			var err error
			if more, err = s.page(ctx); err != nil {
				return
			}
		}
	}
}

// page reads one piece of the log and says whether there was more.
func (s *subscription) page(ctx context.Context) (more bool, err error) {
	uri := s.uri()
	if s.cursor != "" {
		uri += "?since=" + s.cursor
	}
	r, err := s.client.session.ReadResource(ctx, &sdk.ReadResourceParams{URI: uri})
	if err != nil {
		return false, err
	}
	if len(r.Contents) != 1 {
		return false, errors.New("a log has one content")
	}
	meta := r.Contents[0].Meta
	cursor, _ := meta["cursor"].(string)
	if meta["reset"] == true {
		s.client.complain("its cursor %s of %s is none of its log", s.cursor, s.session)
	}
	s.cursor = cursor
	s.client.mu.Lock()
	s.read = append(s.read, r.Contents[0].Text...)
	s.client.mu.Unlock()
	for line := range strings.Lines(r.Contents[0].Text) {
		s.client.note([]byte(strings.TrimSuffix(line, "\n")), nil)
	}
	return cursor != meta["newest"], nil
}

// problems says where what the client read is not the log.
func (s *subscription) problems(log []byte) []string {
	for {
		s.client.mu.Lock()
		read := bytes.Clone(s.read)
		s.client.mu.Unlock()
		switch {
		case bytes.HasPrefix(read, log):
			return nil
		case !bytes.HasPrefix(log, read):
			return []string{"what it read when it was woken is not the log"}
		case !s.client.wire.whole():
			return nil
		case !s.client.w.loose || s.client.wait() != nil:
			return []string{fmt.Sprintf("it was woken for %d bytes of %d", len(read), len(log))}
		}
	}
}
