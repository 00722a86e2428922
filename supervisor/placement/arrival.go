package placement

import (
	"errors"
	"slices"
	"syscall"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
)

// arrival is a session that is this node's in Core, and is to be here.
type arrival struct {
	core.Claimed
	// Anew: it was this node's before, and its folder is gone. Readers may have seen more of its log than Core has, which is an epoch.
	Anew bool

	made      core.Lease // for which its folder was made; "": it is to be made
	dependent bool       // it ends with the session that it works for; known once the folder is made
	tries     int        // that have failed
	till      time.Time  // it is not tried before, unless somebody asks for it
}

// arrivals are those of a claim.
func arrivals(taken []core.Claimed) []arrival {
	list := make([]arrival, len(taken))
	for i := range taken {
		list[i].Claimed = taken[i]
	}
	return list
}

// What could not be taken in is tried again after firstOwed, and each further time after twice as long, up to longestOwed.
const (
	firstOwed   = 10 * time.Second
	longestOwed = 10 * time.Minute
)

// failed notes that a try has failed, and says when the next one is.
func (x *arrival) failed(now time.Time) time.Duration {
	wait := longestOwed
	if x.tries < 16 {
		wait = min(firstOwed<<x.tries, longestOwed)
	}
	x.tries++
	x.till = now.Add(wait)
	return wait
}

// Why a session of which the log is made is not taken up.
var (
	errHere     = errors.New("it is here already")
	errNothing  = errors.New("there is nothing of the session")
	errNotOurs  = errors.New("it is not this node's any more")
	errAnother  = errors.New("it was taken again meanwhile")
	errNoParent = errors.New("the session that it works for is not here yet")
)

// isFull says that it is the disk of this node that does not take a session.
func isFull(err error) bool {
	return slices.ContainsFunc([]error{syscall.ENOSPC, syscall.EDQUOT, syscall.EROFS, syscall.EIO}, func(is error) bool { return errors.Is(err, is) })
}
