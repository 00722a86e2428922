package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"path/filepath"

	"github.com/ringmaster-agents/ringmaster/actors/failpoint"
	"github.com/ringmaster-agents/ringmaster/actors/store"
)

// AdoptingSuffix ends the name of a folder in which Adopt makes a journal. At a start such folders are no sessions; the next Adopt of the original name removes
// what is left in one.
const AdoptingSuffix = ".adopting"

// Adopt makes a journal of stretches in a folder beside the session's, and gives it the session's name when all of it is safe (store.Carrier). Where the
// session's folder holds something other than a journal, the error has fs.ErrExist in it too.
func (s *Store) Adopt(id string, stretches iter.Seq2[store.Stretch, error], beside func(dir string) error) error {
	dir, files := s.dir(id), s.opt.FS
	if err := s.free(dir); err != nil {
		return err
	}
	making := dir + AdoptingSuffix
	err := files.RemoveAll(making) // of an Adopt that did not come to its end
	if err == nil {
		err = files.Mkdir(making)
	}
	if err == nil {
		err = files.SyncDir(filepath.Dir(dir)) // what was left must not come back among what is made now
	}
	if err != nil {
		return writeError("adopt", making, err)
	}
	err = s.build(making, stretches)
	if err == nil && beside != nil {
		err = beside(making)
	}
	if err == nil {
		failpoint.Hit("journal/beforeAdoptRename")
		err = s.name(making, dir)
	}
	if err != nil {
		_ = files.RemoveAll(making) // best effort: it does not count
	}
	return err
}

// free makes sure that nothing is where the session's folder will be. A journal that does not count, since its making did not come to its end, goes with the
// folder, and so does a folder in which nothing is.
func (s *Store) free(dir string) error {
	found, err := s.opt.FS.List(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && len(found) == 0 {
		err = s.opt.FS.Remove(dir)
	}
	if err != nil {
		return writeError("adopt", dir, err)
	}
	for _, e := range found {
		if _, _, ok := parseName(e.Name); !ok {
			continue
		}
		if unbegun(dir, s.opt) {
			return remove(s.opt.FS, dir)
		}
		return fmt.Errorf("journal: adopt %s: %w", dir, fs.ErrExist)
	}
	if len(found) > 0 {
		return writeError("adopt", dir, fmt.Errorf("there is something else: %w", fs.ErrExist))
	}
	return nil
}

// build writes the journal, synced, and with the mark of a clean end.
func (s *Store) build(dir string, stretches iter.Seq2[store.Stretch, error]) error {
	j := &Journal{log: Log{fs: s.opt.FS, dir: dir}, limit: s.opt.SegmentBytes}
	defer func() { _ = j.CloseUnclean() }() // where it was not closed, nothing of it counts
	next, epoch := uint64(0), uint64(0)
	for st, err := range stretches {
		if err == nil {
			err = st.Follows(next, epoch)
		}
		if err == nil && st.Epoch > epoch {
			if next == 0 {
				err = j.adopt(st.First, st.Epoch)
			} else {
				err = j.NewEpoch(st.Epoch)
			}
		}
		if err == nil {
			err = j.appendAll(&st)
		}
		if err != nil {
			return err
		}
		failpoint.Hit("journal/midAdopt")
		next, epoch = st.Last()+1, st.Epoch
	}
	if next == 0 {
		return &BatchError{Problem: "no stretch"}
	}
	return j.Close()
}

// adopt begins the first segment. Only where the journal begins with epoch 1 it has the ordinal 1, which tells that epoch where the header cannot be read.
func (j *Journal) adopt(first, epoch uint64) error {
	if !validSeq(first) {
		return &BatchError{Problem: fmt.Sprintf("no event has the number %d", first)}
	}
	if epoch > 1 {
		j.ordinal = 1
	}
	return j.begin(header{epoch: epoch, first: first})
}

func (j *Journal) appendAll(st *store.Stretch) error {
	for b, err := range st.Batches() {
		if err == nil {
			err = j.Append(b)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// name gives the journal its name, for good: where that cannot be made safe, the name is taken back.
func (s *Store) name(making, dir string) error {
	files := s.opt.FS
	if err := files.Rename(making, dir); err != nil {
		return writeError("adopt", dir, err)
	}
	if err := files.SyncDir(filepath.Dir(dir)); err != nil {
		_ = files.Rename(dir, making) // best effort
		return writeError("adopt", dir, err)
	}
	return nil
}
