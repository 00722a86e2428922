package cold

import (
	"context"
	"crypto/sha256"
	"errors"
	"io"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/objects"
	"github.com/ringmaster-agents/ringmaster/actors/store"
)

// MaxPicture bounds a picture, far above what a prompt may have.
const MaxPicture = 64 << 20

// PutPicture puts a picture of a session, where Core does not have it. It is not put where Core does not have the session yet, or somebody is about to put
// another object of it: then it is to be tried again.
func PutPicture(ctx context.Context, c core.Cold, s objects.Store, session string, data []byte) (put bool, err error) {
	p := core.Picture{Session: session, Digest: sha256.Sum256(data), Size: int64(len(data))}
	p.Key = objects.Attempt(objects.ImageKey(session, p.Digest))
	if ok, err := c.Intend(ctx, session, p.Key); err != nil || !ok {
		return false, err
	}
	if _, err := s.Put(ctx, p.Key, objects.Bytes(data)); err != nil {
		return false, err
	}
	taken, err := c.Depict(ctx, p)
	if err != nil || taken {
		return taken, err
	}
	if err := s.Delete(ctx, p.Key); err != nil {
		return false, err
	}
	return false, c.Deleted(ctx, []string{p.Key})
}

// Pictures reads pictures of sessions out of an object store. What Join gives does.
type Pictures interface {
	// Picture gives the bytes of one; ok is false where Core does not have it. The errors are those of core.Reader.
	Picture(ctx context.Context, session string, digest [sha256.Size]byte) (data []byte, ok bool, err error)
}

func (j *joined) Picture(ctx context.Context, session string, digest [sha256.Size]byte) (data []byte, ok bool, err error) {
	list, err := j.Pictures(ctx, session)
	if err != nil {
		return nil, false, err
	}
	for i := range list {
		if list[i].Digest != digest {
			continue
		}
		data, err := j.picture(ctx, &list[i])
		return data, err == nil, err
	}
	return nil, false, nil
}

func (j *joined) picture(ctx context.Context, p *core.Picture) ([]byte, error) {
	in, err := j.later.get()
	var data []byte
	if err == nil && p.Size <= MaxPicture {
		var from io.ReadCloser
		if from, err = in.Get(ctx, p.Key, 0, p.Size); err == nil {
			data, err = io.ReadAll(from)
			err = errors.Join(err, from.Close())
		}
	}
	if err == nil && sha256.Sum256(data) != p.Digest {
		err = errors.New("its bytes have another digest")
	}
	switch told := told("picture", err); {
	case err == nil:
		return data, nil
	case told != nil:
		return nil, told
	case ctx.Err() != nil:
		return nil, &core.AwayError{Op: "picture", Err: err}
	}
	return nil, &store.DamageError{File: p.Key, Problem: err.Error(), Hint: hintDamaged}
}
