package core

import (
	"container/list"
	"time"
)

func (r *Register) add(e *entry) {
	r.known[e.Key], r.number[e.n] = e, e
	of := r.of[e.By]
	if of == nil {
		of = list.New()
		r.of[e.By] = of
	}
	e.place, e.mine = r.order.PushBack(e), of.PushBack(e)
}

func (r *Register) drop(e *entry) {
	of := r.of[e.By]
	of.Remove(e.mine)
	if of.Len() == 0 {
		delete(r.of, e.By)
	}
	r.order.Remove(e.place)
	delete(r.known, e.Key)
	delete(r.number, e.n)
	r.bytes -= len(e.answer.Body)
}

// expire forgets what is settled and older than it is kept.
func (r *Register) expire(now time.Time) {
	oldest := now.Add(-r.limits.Keep).UnixMilli()
	for p := r.order.Front(); p != nil; {
		e := p.Value.(*entry)
		if p = p.Next(); e.at > oldest {
			return
		}
		if e.phase.settled() {
			r.drop(e)
		}
	}
}

// room makes room for one more of a principal; false: each of those that there are is at work.
func (r *Register) room(by string) bool {
	if of := r.of[by]; of != nil && of.Len() >= r.limits.Each && !r.forget(of) {
		return false
	}
	return r.order.Len() < r.limits.All || r.forget(r.order)
}

// bound forgets the oldest that are settled, as long as there are more than may be kept.
func (r *Register) bound(by string) {
	for r.bytes > r.limits.Bytes && r.forget(r.order) {
	}
	for of := r.of[by]; of != nil && of.Len() > r.limits.Each && r.forget(of); of = r.of[by] {
	}
	for r.order.Len() > r.limits.All && r.forget(r.order) {
	}
}

// forget drops the oldest that is settled; false: there is none.
func (r *Register) forget(of *list.List) bool {
	for p := of.Front(); p != nil; p = p.Next() {
		if e := p.Value.(*entry); e.phase.settled() {
			r.drop(e)
			return true
		}
	}
	return false
}
