package objects

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
)

// fetch reads a range of an object, and no more than so many bytes of it.
func fetch(ctx context.Context, s Store, key string, offset, length, most int64) ([]byte, error) {
	r, err := s.Get(ctx, key, offset, length)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(io.LimitReader(r, most))
}

const (
	rounds = 8  // races of Check
	racers = 16 // in each
)

func (c *checker) race() error {
	problem := ""
	var failed error
	for round := range rounds {
		k := c.key(fmt.Sprintf("race%d", round))
		var fresh [racers]bool
		var errs [racers]error
		var wg sync.WaitGroup
		begin := make(chan struct{})
		for n := range racers {
			wg.Go(func() {
				<-begin
				fresh[n], errs[n] = c.store.Put(c.ctx, k, Bytes(racer(n)))
			})
		}
		close(begin)
		wg.Wait()
		if n := slices.IndexFunc(errs[:], func(err error) bool { return err != nil }); n >= 0 {
			failed = errs[n]
			break
		}
		var winners []int
		for n, won := range fresh {
			if won {
				winners = append(winners, n)
			}
		}
		got, err := fetch(c.ctx, c.store, k, 0, Whole, MaxSize)
		switch {
		case err != nil:
			failed = err
		case len(winners) != 1:
			problem = fmt.Sprintf("of %d that put to one key at once, %d were told that they have", racers, len(winners))
		case !bytes.Equal(got, racer(winners[0])):
			problem = fmt.Sprintf("of %d that put to one key at once, one was told that it has, and another one's bytes are there", racers)
		}
		if failed != nil || problem != "" {
			break
		}
	}
	return c.answer(Race, fmt.Sprintf("in %d races of %d that put to one key at once, one did", rounds, racers), problem, failed)
}

// racer is what the n-th of a race puts.
func racer(n int) []byte { return bytes.Repeat(fmt.Appendf(nil, "%02d\n", n), 20_000) }

func (c *checker) ranges() error {
	p := putter{checker: c}
	body := strings.Repeat("0123456789abcdefghijklmnopqrstuvwxyz", 1000)
	size := int64(len(body))
	k, problem := c.key("ranges"), ""
	p.put(k, body)
	for _, r := range []struct{ offset, length int64 }{
		{0, 10}, {5, 10_000}, {size - 7, 7}, {size - 7, 100}, {size - 1, Whole}, {size, 5}, {size + 100, Whole},
	} {
		want := body[min(r.offset, size):]
		if r.length != Whole {
			want = want[:min(r.length, int64(len(want)))]
		}
		if !p.reads(k, r.offset, r.length, want) && problem == "" {
			problem = fmt.Sprintf("%d bytes from %d on of an object of %d are not those (-1: to the end)", r.length, r.offset, size)
		}
	}
	return c.answer(Ranges, "parts of an object are read", problem, p.err)
}

func (c *checker) lists() error {
	p := putter{checker: c}
	var all []string
	for n := range 20 {
		all = append(all, c.key(fmt.Sprintf("list%02d", n*7%20)))
		p.put(all[n], "x")
	}
	slices.Sort(all)
	prefix, problem := checkKey(c.run, "list"), ""
	for _, from := range []int{0, 11} {
		after := ""
		if from > 0 {
			after = all[from-1]
		}
		got, err := listed(c.ctx, c.store, prefix, after)
		if p.err == nil {
			p.err = err
		}
		switch {
		case p.err != nil || slices.Equal(got, all[from:]):
		case !slices.IsSorted(got):
			problem = "lists are not in the order of the keys"
		default:
			problem = fmt.Sprintf("a list has %d objects and not the %d that are there", len(got), len(all[from:]))
		}
	}
	return c.answer(Lists, "lists are complete and in order", problem, p.err)
}

func listed(ctx context.Context, s Store, prefix, after string) (keys []string, err error) {
	for info, err := range s.List(ctx, prefix, after) {
		if err != nil {
			return keys, err
		}
		keys = append(keys, info.Key)
	}
	return keys, nil
}

// parts puts two, of which the first has the least size that S3 allows.
func (c *checker) parts(s Asked) error {
	p := putter{checker: c}
	first, last := bytes.Repeat([]byte("first part "), 5<<20/11+1), []byte("last part")
	k, problem := c.key("parts"), ""
	fresh, err := s.PutParts(c.ctx, k, first, last)
	if p.err = err; err == nil {
		switch {
		case !fresh:
			problem = "the first upload in parts of a new key was told that something is there"
		case !p.reads(k, 0, Whole, string(first)+string(last)):
			problem = "an object that was put in parts came back with other bytes"
		case !p.reads(k, int64(len(first))-3, 6, "rt las"):
			problem = "a range over the border of two parts is not right"
		}
	}
	if p.err == nil && problem == "" {
		fresh, p.err = s.PutParts(c.ctx, k, []byte("another"))
		if fresh {
			problem = "a second upload in parts of a key was taken: conditions at the completion are ignored"
		} else if !p.reads(k, 0, 20, string(first[:20])) {
			problem = "a second upload in parts of a key, which was said not to be taken, has changed the object"
		}
	}
	return c.answer(Parts, "what is put in parts is whole then, and only if its key is free", problem, p.err)
}

func (c *checker) signature(s Asked) error {
	stranger := s.Stranger()
	defer stranger.Close()
	k, problem := c.key("stranger"), ""
	_, putErr := stranger.Put(c.ctx, k, Bytes([]byte("x")))
	_, getErr := fetch(c.ctx, stranger, c.key("absent"), 0, Whole, 1)
	var failed error
	for _, tried := range []struct {
		err error
		did string
	}{{getErr, "could look for an object"}, {putErr, "could put an object"}} {
		var away *AwayError
		var missing *NotFoundError
		switch {
		case errors.As(tried.err, &away):
			failed = tried.err
		case tried.err == nil || errors.As(tried.err, &missing):
			problem = "somebody with a wrong secret " + tried.did
		}
	}
	return c.answer(Signature, "who has a wrong secret is refused", problem, failed)
}
