package pictures

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/core/cold"
	"github.com/ringmaster-agents/ringmaster/actors/disk"
	"github.com/ringmaster-agents/ringmaster/actors/objects"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"go.uber.org/zap"
)

// place is a folder with pictures of a session: its own, or one that was set aside.
type place struct {
	session.Images
	list []disk.Entry
}

// places are those of a session in which there is something. An error says that there may be others, which cannot be read.
func (p *Pictures) places(id string) (list []place, err error) {
	images := p.cfg.Images(id)
	if images.Files == nil {
		images.Files = disk.OS()
	}
	dirs := []string{images.Dir}
	if p.cfg.Logs != nil {
		names, failed := p.cfg.Logs.Asides(id)
		err = failed
		for _, name := range names {
			dirs = append(dirs, p.cfg.Data.AsideImages(id, name))
		}
	}
	for _, dir := range dirs {
		images.Dir = dir
		found, failed := images.Files.List(dir)
		switch {
		case errors.Is(failed, fs.ErrNotExist):
		case failed != nil:
			err = cmp.Or(err, failed)
		case len(found) > 0:
			list = append(list, place{images, found})
		}
	}
	if err != nil {
		err = &unreadError{id, err}
	}
	return list, err
}

// unreadError says that a session's pictures cannot be read.
type unreadError struct {
	session string
	err     error
}

func (e *unreadError) Error() string {
	return "the pictures of session " + e.session + " cannot be read: " + e.err.Error()
}
func (e *unreadError) Unwrap() error { return e.err }

// isOfOne says that an error is about one session, and keeps none of the others from being put.
func isOfOne(err error) bool {
	var unread *unreadError
	var ofCore *core.RefusedError
	var ofStore *objects.RefusedError
	return errors.As(err, &unread) || errors.As(err, &ofCore) || errors.As(err, &ofStore)
}

// isGiven says that Core refuses what is of a session that is not here any more: a server takes pictures only of the node that has the session. All others are
// put.
func (p *Pictures) isGiven(id string, err error) bool {
	var refused *core.AccessError
	return errors.As(err, &refused) && !p.cfg.Has(id)
}

// Put puts what there is of a session, and says whether all of it is there then; where there is nothing, it waits for nothing. It tries again until ctx is done
// where it is told that somebody else is at the session's objects, and not where Core or the store do not answer, or where Core takes nothing of the session
// before ctx is done. What is left the goroutine puts.
func (p *Pictures) Put(ctx context.Context, id string) bool {
	if p == nil {
		return true
	}
	if list, err := p.places(id); err == nil && len(list) == 0 {
		return true
	}
	for {
		done, err := p.now(ctx, id)
		if done {
			return true
		}
		if err != nil || !p.rests(ctx, id) {
			p.Note(id)
			return false
		}
	}
}

const againAfter = 250 * time.Millisecond

// rests waits until a session may be tried again; false: that is not before ctx is done.
func (p *Pictures) rests(ctx context.Context, id string) bool {
	wait := againAfter
	if until, ok := p.pauses.Of(id); ok {
		if end, ok := ctx.Deadline(); ok && end.Before(until) {
			return false
		}
		wait = time.Until(until)
	}
	again := time.NewTimer(wait)
	defer again.Stop()
	select {
	case <-again.C:
		return true
	case <-ctx.Done():
	case <-p.ctx.Done():
	}
	return false
}

// now is one try. done: nothing is left that could be put. Of a session that is to be left alone still nothing is read.
func (p *Pictures) now(ctx context.Context, id string) (done bool, err error) {
	if _, paused := p.pauses.Of(id); paused {
		return false, nil
	}
	if err := p.take(ctx); err != nil {
		return false, err
	}
	defer p.give()
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	done, err = p.put(ctx, id)
	if p.isGiven(id, err) {
		p.giveUp(id, err)
		done, err = true, nil
	}
	if done {
		p.pauses.End(id)
	}
	return done, err
}

// giveUp tells once of pictures that Core refuses. They are tried again in an hour, and when the session comes back.
func (p *Pictures) giveUp(id string, err error) {
	p.mu.Lock()
	told := p.given[id]
	p.given[id] = true
	p.mu.Unlock()
	if !told {
		p.cfg.Log.Warn("pictures of a session that is not here any more cannot be put into the object store", zap.String("session", id), zap.Error(err))
	}
}

// take waits for the slot.
func (p *Pictures) take(ctx context.Context) error {
	select {
	case p.slot <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-p.ctx.Done():
		return p.ctx.Err()
	}
}

func (p *Pictures) give() { <-p.slot }

// put puts what a session has and Core has not. With the slot.
func (p *Pictures) put(ctx context.Context, id string) (done bool, err error) {
	list, unread := p.places(id)
	if len(list) == 0 {
		return unread == nil, unread
	}
	if err := p.open(ctx); err != nil {
		return false, err
	}
	there, err := p.core.Pictures(ctx, id)
	if err != nil {
		return false, err
	}
	has := map[string]bool{}
	for _, one := range there {
		has[objects.Digest(one.Digest).String()] = true
	}
	for i := range list {
		isPut, err := p.place(ctx, id, &list[i], has)
		if err != nil && !errors.As(err, new(*unreadError)) {
			return false, err
		}
		unread = cmp.Or(unread, err)
		if !isPut {
			return p.isGone(ctx, id), unread
		}
	}
	return unread == nil, unread
}

// place puts what Core has not of a place. isPut: Core has taken all that could be read; what could not is an unreadError.
func (p *Pictures) place(ctx context.Context, id string, of *place, has map[string]bool) (isPut bool, err error) {
	var unread error
	for _, e := range of.list {
		if has[e.Name] || e.Size > cold.MaxPicture {
			continue
		}
		data, err := read(of.Images, e.Name)
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, session.ErrImageDamaged) { // it was taken back, is being written, is none, or was set aside now
			continue
		}
		if err != nil {
			unread = &unreadError{id, err}
			continue
		}
		isPut, err := cold.PutPicture(ctx, p.core, p.store, id, data)
		p.pauses.Tried(id, isPut, err)
		if err != nil || !isPut { // the others of the session would not be taken, either
			return false, cmp.Or(err, unread)
		}
		has[e.Name] = true
		p.worked.Store(true)
	}
	return true, unread
}

// isGone says that neither this node nor Core has a session any more.
func (p *Pictures) isGone(ctx context.Context, id string) bool {
	if p.cfg.Has(id) {
		return false
	}
	at, err := p.core.Positions(ctx, []string{id})
	return err == nil && at[0].Session == ""
}

func read(images session.Images, name string) ([]byte, error) {
	f, err := images.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

func (p *Pictures) open(ctx context.Context) error {
	if p.core == nil {
		c, err := p.cfg.Connect(ctx)
		if err != nil {
			return err
		}
		p.core = c
	}
	if p.store == nil {
		s, err := p.cfg.Open()
		if err != nil {
			return err
		}
		p.store = s
	}
	return nil
}
