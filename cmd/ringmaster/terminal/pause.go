package terminal

import "github.com/ringmaster-agents/ringmaster/protocol"

// pause notes that a tool waits for an approval: what a person thinks over is not the tool's time.
func (v *View) pause(r *protocol.RequestOpened, now int64) {
	p := v.parts[r.EntryID]
	if p == nil || r.Kind != protocol.RequestApproval {
		return
	}
	if p.waits == nil {
		p.waits = map[string]bool{}
	}
	if len(p.waits) == 0 {
		p.paused = now
	}
	p.waits[r.RequestID] = true
}

// resume notes that an approval waits no more; the tool goes on with its last one.
func (v *View) resume(request string, now int64) {
	for _, p := range v.order {
		if p.waits[request] {
			delete(p.waits, request)
			if len(p.waits) == 0 {
				p.waited += max(0, now-p.paused)
			}
		}
	}
}

// took is how long a tool has worked, in ms.
func (p *part) took(now int64) int64 {
	waited := p.waited
	if len(p.waits) > 0 {
		waited += max(0, now-p.paused)
	}
	return now - p.began - waited
}
