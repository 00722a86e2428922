package raw

import "time"

// restAfter is how long an archive with nothing to write keeps its file open and its buffers: an agent that works writes again before that.
const restAfter = 5 * time.Second

// restLater has the archive rest when nothing comes meanwhile. With mu held.
func (a *Archive) restLater() {
	if a.resting == nil {
		a.resting = time.AfterFunc(restAfter, a.rest)
		return
	}
	a.resting.Reset(restAfter)
}

// rest closes the file and lets go of the buffers, unless there is work again. The next lines open it.
func (a *Archive) rest() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.running || len(a.queue.items) > 0 {
		return // which ends with restLater
	}
	a.files.close()
	a.files.trim(0)
	a.queue, a.spare = lines{}, lines{}
}
