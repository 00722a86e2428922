package scenarios

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/audit"
)

// checkChannels holds all ways to learn what happened in a session against its log: the stream, polls and pushes, for clients
// of both eras, and what the clients of the steps were told. All tell the same; nothing is lost, doubled or changed.
func (w *world) checkChannels() []string {
	var problems []string
	for _, name := range w.order {
		if err := w.checkTold(name, &problems); err != nil {
			problems = append(problems, fmt.Sprintf("channels of %s: %v", name, err))
		}
	}
	for _, c := range w.clients {
		c.close()
		for id := range c.told {
			if c.watched[id] == nil {
				problems = append(problems, fmt.Sprintf("MCP client %s: it was told of session %q, which it does not watch", c.name, id))
			}
		}
		for _, p := range c.wrong {
			problems = append(problems, fmt.Sprintf("MCP client %s: %s", c.name, p))
		}
	}
	return problems
}

func (w *world) checkTold(name string, problems *[]string) error {
	line, err := w.log(name, "")
	var gone *answerError
	if errors.As(err, &gone) && gone.status == http.StatusNotFound {
		return nil // deleted
	}
	if err != nil {
		return err
	}
	log, err := decodeLog(line)
	if err != nil {
		return err
	}
	for _, c := range w.clients {
		for _, p := range c.problems(w.id(name), line, log) {
			*problems = append(*problems, fmt.Sprintf("MCP client %s of %s: %s", c.name, name, p))
		}
	}
	if err := w.checkStream(name, line, len(log)); err != nil {
		return err
	}
	eras := []string{oldEra, newEra}
	if len(w.file.eras()) > 1 {
		eras = []string{w.era} // each has its own run
	}
	for _, era := range eras {
		if err := w.checkEra(era, w.id(name), log); err != nil {
			return fmt.Errorf("at %s: %w", era, err)
		}
	}
	return nil
}

// problems are those of everything that the client knows of a session.
func (c *mcpClient) problems(id string, line []byte, log []protocol.Event) (problems []string) {
	if x := c.watched[id]; x != nil {
		x.complete(log)
		problems = x.problems(log)
	}
	for _, s := range c.subscribed {
		if s.session == id {
			problems = append(problems, s.problems(line)...)
		}
	}
	return problems
}

// checkStream reads the stream from its beginning: it is the log.
func (w *world) checkStream(name string, log []byte, events int) error {
	ctx, cancel := context.WithTimeout(w.ctx, w.patient)
	defer cancel()
	res, err := openStream(ctx, w.daemon, w.id(name), "", "")
	if err != nil {
		return err
	}
	defer res.Body.Close()
	var shown []byte
	for frames := protocol.NewSSEReader(res.Body, 0); events > 0; events-- {
		f, err := frames.Next()
		if err != nil {
			return fmt.Errorf("the stream ends %d events before the log: %w", events, err)
		}
		shown = append(append(shown, f.Data...), '\n')
	}
	if !bytes.Equal(shown, log) {
		return fmt.Errorf("the stream is not the log:\n%s", difference(string(log), string(shown)))
	}
	return nil
}

// checkEra polls a session in pages of several sizes and has all of it told, as a client that comes now.
func (w *world) checkEra(era, id string, log []protocol.Event) error {
	c := w.newMCP("check", era)
	c.level = "info"
	defer c.close()
	if err := c.connect(false); err != nil {
		return err
	}
	all, ended := items(log), audit.Outcomes(log)
	for _, size := range []int{min(len(all)/5+1, maxPage), maxPage} { // some pages, and as few as can be
		got, err := c.pages(id, size)
		if err != nil {
			return err
		}
		if p := partOf(all, got); p != "" {
			return fmt.Errorf("polled by %d: %s", size, p)
		}
		if want, got := listed(all), listed(got); !slices.EqualFunc(got, want, protocol.SessionEvent.Equal) {
			return fmt.Errorf("polled by %d: %d items, the log has %d:\n%s", size, len(got), len(want), differentItems(want, got))
		}
		if err := checkOutcomes(got, ended); err != nil {
			return fmt.Errorf("polled by %d: %w", size, err)
		}
	}
	if err := c.watchFrom(id, map[string]any{"since_index": -1}); err != nil {
		return err
	}
	w.daemon.settle()
	x := c.watched[id]
	x.complete(log)
	if p := x.problems(log); len(p) > 0 {
		return fmt.Errorf("told from the beginning: %s", p[0])
	}
	if err := checkOutcomes(c.toldOf(id), ended); err != nil {
		return fmt.Errorf("told from the beginning: %w", err)
	}
	return c.checkWaiting(id, ended)
}

// pages polls a whole session.
func (c *mcpClient) pages(id string, size int) (all []protocol.SessionEvent, err error) {
	for p := (page{LastIndex: -1, HasMore: true}); p.HasMore; {
		if p, err = c.poll(id, p, size); err != nil {
			return all, err
		}
		if p.Reset {
			return all, fmt.Errorf("a page of epoch %d begins again", p.Epoch)
		}
		if p.HasMore && len(p.Events) == 0 {
			return all, errors.New("an empty page says that there is more")
		}
		all = append(all, p.Events...)
	}
	return all, nil
}

func differentItems(want, got []protocol.SessionEvent) string {
	a, errA := jsonLines(want)
	b, errB := jsonLines(got)
	if err := errors.Join(errA, errB); err != nil {
		return err.Error()
	}
	return difference(string(a), string(b))
}
