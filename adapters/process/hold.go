package process

// Hold is by what the processes of agents are known and ended, besides their group, their marker and their descent.
type Hold struct {
	Adopts  bool // those whose parents have ended come to this process
	Marks   bool // they carry a mark that does not go with the environment
	Cgroups bool // each agent begins in a control group of its own
}

// Held says what holds for the agents that this process begins.
func Held() Hold {
	agents.mu.Lock()
	marks, adopts := agents.adopts > 0, agents.stop != nil
	agents.mu.Unlock()
	return Hold{Adopts: adopts, Marks: marks && bearable(), Cgroups: agents.groups().used()}
}

// CanHold says what would hold for those of a program like this one that has called Adopt and UseCgroups.
func CanHold() Hold { return Hold{Adopts: canAdopt, Marks: bearable(), Cgroups: findCgroups().used()} }
