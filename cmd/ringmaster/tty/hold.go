package tty

import (
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"
)

// Hold gives the terminal back, stops the whole job as the terminal itself does it, and takes the terminal again once the shell goes on. The keyboard is
// another one then, or nil in the background.
func (t *Terminal) Hold(k *Keyboard) (*Keyboard, error) {
	whole := t.whole
	k.Close()
	t.End()
	if hasShell() {
		goesOn := make(chan os.Signal, 1)
		signal.Notify(goesOn, syscall.SIGCONT)
		// SIGTSTP has no default action any more in a Go program that has caught it once. This thread may go on for a moment before all are stopped.
		if syscall.Kill(0, syscall.SIGSTOP) == nil {
			<-goesOn
		}
		signal.Stop(goesOn)
	}
	return t.Again(whole)
}

// Again takes the terminal again, and gives its keyboard. A job that goes on in the background has no keys, so its keyboard is nil: whoever shows a whole
// screen is stopped by the terminal there, and whoever only writes is not.
func (t *Terminal) Again(whole bool) (*Keyboard, error) {
	if !whole && !t.front() {
		return nil, nil
	}
	if err := t.Begin(whole); err != nil {
		return nil, err
	}
	return t.Keys()
}

// hasShell says whether somebody could let a stopped job go on: a parent in the same session. Without one the kernel lets SIGTSTP pass, and so do we.
func hasShell() bool {
	own, err := unix.Getsid(0)
	if err != nil {
		return false
	}
	parents, err := unix.Getsid(os.Getppid())
	return err == nil && own == parents
}
