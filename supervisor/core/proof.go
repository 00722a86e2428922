package core

import (
	"maps"
	"slices"
)

// A start knows a session at rest by the copy of its session.json (record.Resting), and its folder is asked behind that whether the copy is true: of all such
// sessions in the background, and of one before anything is done with it. Lists tell meanwhile what the copy says.

type (
	// OnceProven has a question about a session asked anew (AskAgain) when its folder has been asked.
	OnceProven struct {
		Ticket Ticket
		ID     string
	}
	// Proven says that the folders of sessions are as the copies tell.
	Proven struct{ IDs []string }
	// Corrected has what the folder of a session says of which the copy was not true; Found is nil where it holds none any more.
	Corrected struct {
		ID    string
		Found *Found
	}
	// Prove asks the folder of a session before those of others; Proven or Corrected follows, once for each session.
	Prove struct{ ID string }
)

func (*OnceProven) input()  {}
func (*Proven) input()      {}
func (*Corrected) input()   {}
func (Prove) effect()       {}
func (Prove) daemonEffect() {}

// proofs are those that are still to come.
type proofs struct {
	left   int                 // members that are copied
	asking map[string][]Ticket // questions about them that wait
	over   bool                // in a drain no folder is asked any more: what a copy tells is told
	out    *effects
}

// lack says that a copy alone tells of a member, and has its folder asked: whoever wants to do something with it goes on when that has answered.
func (p *proofs) lack(x *member) bool {
	if x.copied {
		p.out.add(Prove{x.summary.ID})
	}
	return x.copied
}

// await has a question wait for the folder of a member that it is about; nil: it is about none. False: it need not.
func (p *proofs) await(t Ticket, x *member) bool {
	if x == nil || p.over || !p.lack(x) {
		return false
	}
	p.asking[x.summary.ID] = append(p.asking[x.summary.ID], t)
	return true
}

// settle notes that no copy tells of a member any more. Questions that waited are asked anew.
func (p *proofs) settle(x *member) {
	if x.copied {
		x.copied = false
		p.left--
		p.answer(x.summary.ID)
	}
}

func (p *proofs) answer(id string) {
	for _, t := range p.asking[id] {
		p.out.add(AskAgain{t})
	}
	delete(p.asking, id)
}

// end has nobody wait any more.
func (p *proofs) end() {
	p.over = true
	for _, id := range slices.Sorted(maps.Keys(p.asking)) {
		p.answer(id)
	}
}
