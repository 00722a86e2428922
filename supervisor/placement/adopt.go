package placement

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core/cold"
	"github.com/ringmaster-agents/ringmaster/actors/failpoint"
	"github.com/ringmaster-agents/ringmaster/actors/raw"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/supervisor/folder"
	"github.com/ringmaster-agents/ringmaster/supervisor/record"
	"go.uber.org/zap"
)

// adoptTime is for the log of one session.
const adoptTime = 5 * time.Minute

// adopter makes folders of sessions that come. It may be used by many goroutines.
type adopter struct{ *hand }

// adopt makes the folder of a session that is this node's now, where it is not made yet.
func (a *adopter) adopt(x *arrival) error {
	id := x.At.Session
	if x.made != "" && x.made == x.At.Lease {
		return nil
	}
	ctx, cancel := context.WithTimeout(a.ctx, adoptTime)
	defer cancel()
	if a.Knows(id) {
		has, err := a.hasIt(ctx, x)
		switch {
		case err != nil:
			return err
		case has:
			return errHere
		}
		if err := a.giveUp(id); err != nil { // a copy that others had taken over, and that was not let go yet
			return err
		}
	}
	if x.At.Head == 0 { // its node had not sent an event of it: there is nothing that anybody could go on with
		if _, err := a.core.Remove(ctx, id, x.At.Lease); err != nil {
			return err
		}
		return errNothing
	}
	if _, err := a.Logs.Stat(id); !errors.Is(err, fs.ErrNotExist) { // a folder in which no session was found, or that was being removed
		if x.Anew {
			a.cfg.Log.Warn("Core has a session for this node, and its folder holds something else; it stays as it is", zap.String("session", id))
			return errNothing
		}
		if err := a.Logs.SetAside(id, aside(folder.Lost)); err != nil {
			return err
		}
	}
	if err := a.Logs.Adopt(id, a.log(ctx, x), a.told(x)); err != nil {
		return err
	}
	failpoint.Hit("placement/midAdopt")
	if err := a.pictures(ctx, id); err != nil { // the log tells of them, and goes on without
		a.cfg.Log.Warn("pictures of a session do not come with it", zap.String("session", id), zap.Error(err))
	}
	if err := a.natives(ctx, id); err != nil { // they begin anew then
		a.cfg.Log.Warn("native lines of a session do not go on with the numbers that they had", zap.String("session", id), zap.Error(err))
	}
	x.made = x.At.Lease
	return nil
}

// hasIt says that this node has a session as Core had it before its claim has begun an epoch: Core went back, had forgotten that it is this node's, and gave it
// once more. It goes on in the epoch that it has, which the shipper says.
func (a *adopter) hasIt(ctx context.Context, x *arrival) (bool, error) {
	newest := a.Newest(x.At.Session)
	if !x.Lost || newest.Epoch == 0 {
		return false, nil
	}
	epochs, err := a.core.Epochs(ctx, x.At.Session)
	for len(epochs) > 0 && epochs.Newest() >= x.At.Epoch { // the claim's
		epochs = epochs[:len(epochs)-1]
	}
	before := epochs.Newest()
	return before < newest.Epoch || before == newest.Epoch && newest.Seq >= x.At.Head, err
}

// natives has the native lines of a session go on behind those that other nodes have put into Core's object store, or will have.
func (a *adopter) natives(ctx context.Context, id string) error {
	if _, ok := a.core.(cold.Natives); !ok { // there is no object store
		return nil
	}
	first, err := a.core.Number(ctx, id, raw.Leap)
	if err != nil || first == 0 {
		return err
	}
	return raw.Begin(a.Data.Raw(id), a.Files, first)
}

// pictures brings the pictures of a session's prompts that Core's object store has. One that is damaged keeps no other from coming.
func (a *adopter) pictures(ctx context.Context, id string) error {
	from, ok := a.core.(cold.Pictures)
	if !ok { // there is no object store
		return nil
	}
	list, err := a.core.Pictures(ctx, id)
	if err != nil {
		return err
	}
	images := session.Images{Dir: a.Data.Images(id), Files: a.Files}
	var missing error
	for i := range list {
		data, ok, err := from.Picture(ctx, id, list[i].Digest)
		if damaged := new(*store.DamageError); errors.As(err, damaged) {
			missing = cmp.Or(missing, err)
			continue
		}
		if err == nil && ok {
			_, _, err = images.Put("", data) // what it is a picture of, the log says
		}
		if err != nil {
			return err
		}
	}
	return missing
}

// log is a session's log as Core has it, with the epoch that begins behind it, if one does.
func (a *adopter) log(ctx context.Context, x *arrival) iter.Seq2[store.Stretch, error] {
	return func(yield func(store.Stretch, error) bool) {
		var last uint64
		for st, err := range a.core.Stretches(ctx, x.At.Session, x.At.Oldest-1, x.At.Head) {
			if !yield(st, err) || err != nil {
				return
			}
			last = st.Epoch
		}
		epoch := x.At.Epoch
		if x.Anew {
			epoch = max(epoch+1, uint64(time.Now().UnixMilli()))
		}
		if epoch > last {
			yield(store.Stretch{First: x.At.Head + 1, Epoch: epoch}, nil)
		}
	}
}

// told gives what writes the session's record into its folder, as its node has told it; nil: what Core has cannot be read. What concerns that machine alone is
// left out. The log tells neither what was used elsewhere nor that the session is pinned, so no session is here without its record, whenever the daemon ends.
func (a *adopter) told(x *arrival) func(dir string) error {
	id := x.At.Session
	r, err := record.Parse(x.Record.Told, "Core's record of session "+id)
	if err == nil && r.Summary.ID != id {
		err = fmt.Errorf("it is the record of session %s", r.Summary.ID)
	}
	if err != nil { // the log tells what there is to know
		a.cfg.Log.Warn("what Core keeps of a session cannot be read", zap.String("session", id), zap.Error(err))
		return nil
	}
	x.dependent = r.Summary.SubAgent || r.Summary.Spawned
	r.Arrive()
	r.Boot, r.Synced, r.Endpoint, r.Summary.ReadOnly, r.Summary.Damage = a.Boot, x.At.Head, nil, false, nil
	return func(dir string) error { return r.Save(a.Files, folder.RecordIn(dir)) }
}
