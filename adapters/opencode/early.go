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

// awaits keeps a request whose call was not heard of, or its arguments; false: it is about none, or has waited.
func (t *Translator) awaits(e earlyRequest) bool {
	if e.about.CallID == "" || !t.run.on || t.asked.late || len(t.asked.early) >= maxBefore {
		return false
	}
	for _, other := range t.asked.early {
		if other.id() == e.id() {
			return true
		}
	}
	t.asked.early = append(t.asked.early, e)
	return true
}

func (e *earlyRequest) id() string {
	if e.permission != nil {
		return e.permission.ID
	}
	return e.question.ID
}

// openEarly opens the requests that waited and are chosen.
func (t *Translator) openEarly(which func(*earlyRequest) bool, out *adapters.Output) {
	early := t.asked.early
	if len(early) == 0 {
		return
	}
	t.asked.early, t.asked.late = nil, true
	var rest []earlyRequest
	for i := range early {
		switch e := &early[i]; {
		case !which(e):
			rest = append(rest, *e)
		case e.permission != nil:
			t.permission(e.permission, e.next, out)
		default:
			t.question(e.question, e.next, out)
		}
	}
	t.asked.early, t.asked.late = rest, false
}

// openAbout opens the requests that waited for a call. Those that need its arguments wait on until they are known.
func (t *Translator) openAbout(x *part, out *adapters.Output) {
	t.openEarly(func(e *earlyRequest) bool {
		return e.about == callWire{x.message, x.tool.call} && (e.permission == nil || !e.permission.lacks(x))
	}, out)
}

// openLate opens what has waited for its call for a whole time between two heartbeats: the first may come right behind the request.
func (t *Translator) openLate(out *adapters.Output) {
	t.openEarly(func(e *earlyRequest) bool { e.beats++; return e.beats >= maxBeats }, out)
}
