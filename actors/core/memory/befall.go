package memory

import "time"

// Moment is a place as it was once.
type Moment struct{ state state }

// Moment is the place as it is now, for GoBack.
func (p *Place) Moment() (m *Moment) {
	p.Hold(func() { m = &Moment{p.now.clone()} })
	return m
}

// GoBack makes the place what it was, as the fail-over to a replica does that had not seen what came after. It may be done with one moment many times.
func (p *Place) GoBack(to *Moment) { p.Hold(func() { p.now = to.state.clone() }) }

// Turn sets the place's clock ahead, or back, in which leases run. Numbers of lives and epochs do not go back with it.
func (p *Place) Turn(by time.Duration) { p.Hold(func() { p.turned += by }) }
