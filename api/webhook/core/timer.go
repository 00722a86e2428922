package core

import "container/heap"

// timer is something that is due at a time: a delivery, a session, or the writing of positions. Where it does not hold any more, whoever takes it sees that.
type timer struct {
	at       int64
	delivery *Delivery
	session  *session
}

// timers are a heap by time.
type timers []timer

func (t timers) Len() int           { return len(t) }
func (t timers) Less(i, j int) bool { return t[i].at < t[j].at }
func (t timers) Swap(i, j int)      { t[i], t[j] = t[j], t[i] }

// Push is for package heap.
func (t *timers) Push(x any) { *t = append(*t, x.(timer)) }

// Pop is for package heap.
func (t *timers) Pop() any {
	old := *t
	x := old[len(old)-1]
	old[len(old)-1] = timer{}
	*t = old[:len(old)-1]
	return x
}

func (t *timers) add(x timer) { heap.Push(t, x) }

// due takes out the first one that is due.
func (t *timers) due(now int64) (x timer, ok bool) {
	if len(*t) == 0 || (*t)[0].at > now {
		return timer{}, false
	}
	return heap.Pop(t).(timer), true
}
