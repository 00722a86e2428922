package process

import (
	"os/exec"
	"runtime"
	"syscall"
)

// nursery begins agents, each of which the system sends SIGTERM when this process ends, however it does. The system goes by the thread that began a
// child, and the runtime ends some of its own: this one lasts.
type nursery struct {
	work       chan func()
	quit, over chan struct{}
}

func newNursery() *nursery {
	n := &nursery{work: make(chan func()), quit: make(chan struct{}), over: make(chan struct{})}
	go func() { // ends with release
		runtime.LockOSThread()
		defer close(n.over)
		defer runtime.UnlockOSThread() // a thread that is locked would end here, and what it has begun with it
		for {
			select {
			case do := <-n.work:
				do()
			case <-n.quit:
				return
			}
		}
	}()
	return n
}

// begin has a command begun by start.
func (n *nursery) begin(cmd *exec.Cmd, start func() error) (err error) {
	if n == nil {
		return start()
	}
	done := make(chan struct{})
	select {
	case n.work <- func() {
		defer close(done)
		cmd.SysProcAttr.Pdeathsig = syscall.SIGTERM
		err = start()
	}:
		<-done
		return err
	case <-n.over:
		return start()
	}
}

// end waits for what is being begun.
func (n *nursery) end() {
	if n != nil {
		close(n.quit)
		<-n.over
	}
}
