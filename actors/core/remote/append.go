package remote

import (
	"bytes"
	"context"
	"errors"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/core/wire"
)

// Append sends batches compressed, so many at once as a request may have.
func (c *client) Append(ctx context.Context, batches []core.Batch) ([]core.Answer, error) {
	answers := make([]core.Answer, len(batches))
	seen := map[string]bool{}
	var todo, others []int
	for i := range batches {
		b := &batches[i]
		switch problem := b.Check(); {
		case problem != "":
			answers[i].Problem = problem
		case seen[b.Session]:
			answers[i].Problem = core.Again
		default:
			seen[b.Session] = true
			todo = append(todo, i)
			continue
		}
		others = append(others, i)
	}
	for len(todo) > 0 {
		n, size := 0, 0
		for n < len(todo) && (n == 0 || size+len(batches[todo[n]].Lines) <= wire.Full) {
			size += len(batches[todo[n]].Lines)
			n++
		}
		if err := c.append(ctx, batches, answers, todo[:n]); err != nil {
			return nil, err
		}
		todo = todo[n:]
	}
	if len(others) == 0 {
		return answers, nil
	}
	ids := make([]string, 0, len(others))
	for _, i := range others {
		ids = append(ids, batches[i].Session)
	}
	at, err := c.Positions(ctx, ids)
	if err == nil && len(at) != len(ids) {
		err = &core.AwayError{Op: "append", Err: errOther}
	}
	if err != nil {
		return nil, err
	}
	for n, i := range others {
		answers[i].At = at[n]
	}
	return answers, nil
}

// errOther is an answer that is not one to what was asked.
var errOther = errors.New("the answer is none to what was asked")

// append sends some of the batches in one request.
func (c *client) append(ctx context.Context, batches []core.Batch, answers []core.Answer, some []int) error {
	var body bytes.Buffer
	packed := wire.Compress(&body)
	out := &counted{to: packed}
	var err error
	for _, i := range some {
		err = errors.Join(err, wire.FrameOfBatch(&batches[i]).Write(out))
	}
	err = errors.Join(err, (&wire.Frame{End: true}).Write(out), packed.Close())
	if err == nil && out.n > wire.MaxBody {
		err = errors.New("a batch is larger than one call may be")
	}
	if err != nil { // of the packing: nothing was sent
		return &core.RefusedError{Op: "append", Err: err}
	}
	r := post("append", wire.Frames, wire.JSON, body.Bytes())
	r.header = map[string]string{wire.Size: number(out.n)}
	var got []core.Answer
	if err := answered(ctx, c.way, r, &got); err != nil {
		return failed("append", err)
	}
	if len(got) != len(some) {
		return &core.AwayError{Op: "append", Err: errOther}
	}
	for n, i := range some {
		answers[i] = got[n]
	}
	return nil
}

// counted counts what is written.
type counted struct {
	to wire.Writer
	n  int64
}

func (c *counted) Write(b []byte) (int, error) {
	n, err := c.to.Write(b)
	c.n += int64(n)
	return n, err
}

func (c *client) Rewind(ctx context.Context, cut core.Cut) (core.Answer, error) {
	return call[core.Cut, core.Answer](ctx, c, "rewind", "rewind", cut)
}
