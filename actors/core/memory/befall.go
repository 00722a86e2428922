package memory

import "errors"

// fate is what befalls calls.
type fate struct {
	away          error // why the place cannot be reached; nil: it can
	silent        bool  // calls wait
	before, after func(op string) error
}

// Moment is a place as it was once.
type Moment struct{ state state }

var errUnreachable = errors.New("connection refused")

// Leave has calls fail at once with a *core.AwayError, until Return.
func (p *Place) Leave() { p.befall(func(f *fate) { f.away, f.silent = errUnreachable, false }) }

// FallSilent has calls wait until Return, or the end of their context.
func (p *Place) FallSilent() { p.befall(func(f *fate) { f.away, f.silent = nil, true }) }

// Return ends Leave and FallSilent.
func (p *Place) Return() { p.befall(func(f *fate) { f.away, f.silent = nil, false }) }

// Disturb asks both functions at each call, with its name in the contract in lower case: an error of before fails the call without having carried it out, one
// of after fails it afterwards, so that its caller does not know. An error that is none of the contract's becomes a *core.AwayError; what refuses, gives
// a *core.AccessError. nil: no more. They must not call the place.
func (p *Place) Disturb(before, after func(op string) error) {
	p.befall(func(f *fate) { f.before, f.after = before, after })
}

// Moment is the place as it is now, for GoBack.
func (p *Place) Moment() *Moment {
	p.mu.Lock()
	defer p.mu.Unlock()
	return &Moment{p.now.clone()}
}

// GoBack makes the place what it was, as the fail-over to a replica does that had not seen what came after. It may be done with one moment many times.
func (p *Place) GoBack(to *Moment) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.now = to.state.clone()
}

func (p *Place) befall(change func(f *fate)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change(&p.fate)
	if p.change != nil {
		close(p.change)
		p.change = nil
	}
}
