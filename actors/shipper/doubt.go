package shipper

import "sync"

// doubt is whether Core may have gone back.
type doubt struct {
	mu      sync.Mutex
	is      bool
	arrived chan struct{} // one slot: the shipper is woken
}

// Doubt says that Core may have gone back, as a database does of which a replica has taken the place: all sessions are gone through soon, those that say
// nothing among them.
func (d *doubt) Doubt() {
	d.mu.Lock()
	d.is = true
	d.mu.Unlock()
	ring(d.arrived)
}

// isDoubted says once that Core may have gone back.
func (d *doubt) isDoubted() (is bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	is, d.is = d.is, false
	return is
}

// ring wakes the shipper where it rests.
func ring(arrived chan struct{}) {
	select {
	case arrived <- struct{}{}:
	default:
	}
}
