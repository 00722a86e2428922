package opencode

import "github.com/ringmaster-agents/ringmaster/adapters"

// earlyRequest is a request that waits for its call.
type earlyRequest struct {
	about      callWire
	permission *permissionWire
	question   *questionWire
	next       bool
	beats      int // heartbeats since it came
}

// maxEarlyRequests is how many requests may wait for their calls.
const maxEarlyRequests = 64

// awaits keeps a request whose call was not heard of, or its arguments; false: it is about none.
func (r *requests) awaits(e earlyRequest) bool {
	if e.about.CallID == "" || len(r.early) >= maxEarlyRequests {
		return false
	}
	for _, other := range r.early {
		if other.id() == e.id() {
			return true
		}
	}
	r.early = append(r.early, e)
	return true
}

func (e *earlyRequest) id() string {
	if e.permission != nil {
		return e.permission.ID
	}
	return e.question.ID
}

// openEarly opens the requests that waited and are chosen, whatever is known of their calls.
func (r *requests) openEarly(which func(*earlyRequest) bool, all *entries, out *adapters.Output) {
	early := r.early
	if len(early) == 0 {
		return
	}
	r.early = nil
	var rest []earlyRequest
	for i := range early {
		switch e := &early[i]; {
		case !which(e):
			rest = append(rest, *e)
		case e.permission != nil:
			r.approval(e.permission, e.next, false, all, out)
		default:
			r.question(e.question, e.next, false, all, out)
		}
	}
	r.early = rest
}

// openAbout opens the requests that waited for a call. Those that need its arguments wait on until they are known.
func (r *requests) openAbout(x *part, all *entries, out *adapters.Output) {
	r.openEarly(func(e *earlyRequest) bool {
		return e.about == callWire{x.message, x.tool.call} && (e.permission == nil || !e.permission.lacks(x))
	}, all, out)
}

// openLate opens those that have waited for a whole time between two heartbeats: the first may come right behind the request.
func (r *requests) openLate(all *entries, out *adapters.Output) {
	r.openEarly(func(e *earlyRequest) bool { e.beats++; return e.beats >= maxBeats }, all, out)
}
