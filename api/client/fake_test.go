package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// fakeDaemon is a daemon with one session whose log is there already. Connections to its stream are cut as the test
// says; everything else is as the protocol wants it. It does its work on the caller's goroutines, so that it runs in a
// synctest bubble.
type fakeDaemon struct {
	epoch    uint64
	log      int  // events
	ended    bool // the stream closes when everything was sent, and a reader that has everything gets 204
	plans    []plan
	requests []string // what Last-Event-ID each connection had
}

// plan is what becomes of one connection.
type plan struct {
	refuse  error             // no connection at all
	problem *protocol.Problem // answered instead
	events  int               // cut after so many; the rest of the frame is lost
	silent  bool              // says nothing more then, instead of being cut
	retry   string            // a line before everything
	frames  string            // sent instead of events
	late    time.Duration     // after which they come
}

func (d *fakeDaemon) client() *Client {
	return newClient("http://localhost", "the fake", "", d, nil)
}

// RoundTrip answers GET /sessions/ID/stream.
func (d *fakeDaemon) RoundTrip(r *http.Request) (*http.Response, error) {
	last := r.Header.Get("Last-Event-ID")
	d.requests = append(d.requests, last)
	p := plan{events: d.log + 1}
	if len(d.plans) > 0 {
		p, d.plans = d.plans[0], d.plans[1:]
	}
	if p.refuse != nil {
		return nil, p.refuse
	}
	if p.problem != nil {
		return answer(p.problem.Status, protocol.ProblemType, fmt.Sprintf(`{"code":%q,"title":"t","status":%d}`, p.problem.Code, p.problem.Status)), nil
	}
	at, err := protocol.ParseCursor("0")
	if last != "" {
		at, err = protocol.ParseCursor(last)
	}
	if err != nil {
		return nil, err
	}
	if d.ended && at == (protocol.Cursor{Epoch: d.epoch, Seq: uint64(d.log)}) {
		return answer(http.StatusNoContent, "", ""), nil
	}
	var b strings.Builder
	b.WriteString(p.retry)
	if p.frames != "" {
		b.WriteString(p.frames)
	} else {
		d.frames(&b, at, p.events)
	}
	resp := answer(http.StatusOK, "text/event-stream", "")
	resp.Body = &body{text: strings.NewReader(b.String()), silent: p.silent, late: p.late, ctx: r.Context()}
	return resp, nil
}

func (d *fakeDaemon) frames(b *strings.Builder, at protocol.Cursor, n int) {
	seq := at.Seq
	if !at.Start() && at.Epoch != d.epoch {
		fmt.Fprintf(b, `data: {"type":"reset","epoch":%d,"oldest":1,"newest":%d}`+"\n\n", d.epoch, d.log)
		seq = 0
	}
	for ; seq < uint64(d.log) && n > 0; n-- {
		seq++
		fmt.Fprintf(b, "id: %s\ndata: %s\n\n", protocol.Cursor{Epoch: d.epoch, Seq: seq}, event(seq))
	}
	if n == 0 {
		b.WriteString("id: 999\ndata: {\"seq\":999,\"ts\":1,") // the half of a frame
	}
}

func event(seq uint64) string {
	return `{"seq":` + strconv.FormatUint(seq, 10) + `,"ts":1,"type":"entry_meta","entryId":"e1","persistentId":"x"}`
}

func answer(status int, media, text string) *http.Response {
	return &http.Response{
		StatusCode: status, Status: strconv.Itoa(status), Header: http.Header{"Content-Type": {media}}, Body: io.NopCloser(strings.NewReader(text)),
	}
}

// body is a text that is cut at its end, or then blocks until the request is given up.
type body struct {
	text   *strings.Reader
	silent bool
	late   time.Duration
	ctx    context.Context //nolint:containedctx // of the request, which the body belongs to
}

var errCut = errors.New("connection reset by peer")

func (b *body) Read(p []byte) (int, error) {
	if err := pause(b.ctx, b.late); err != nil {
		return 0, err
	}
	b.late = 0
	n, err := b.text.Read(p)
	if !errors.Is(err, io.EOF) {
		return n, err
	}
	if b.silent {
		<-b.ctx.Done()
		return 0, b.ctx.Err()
	}
	return n, errCut
}

func (b *body) Close() error { return nil }
