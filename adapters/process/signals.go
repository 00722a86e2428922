package process

import (
	"os"
	"os/signal"
	"sync"
	"syscall"
)

// ignored are the signals that this program was started to ignore, as nohup has it.
var ignored = sync.OnceValue(initiallyIgnored)

// undisturbed has what is begun meanwhile get the default for all signals: what a process ignores, those that it begins ignore as well, but not
// what it handles. Its own ignoring stays as it is for whoever sends one.
func undisturbed() (restore func()) {
	list := ignored()
	if len(list) == 0 { // Notify without signals would take all
		return func() {}
	}
	nobody := make(chan os.Signal, 1)
	for _, s := range list {
		signal.Notify(nobody, s)
	}
	return func() {
		signal.Stop(nobody)
		for _, s := range list {
			if s == syscall.SIGTSTP || s == syscall.SIGTTIN || s == syscall.SIGTTOU { // the runtime forgets that they were ignored
				signal.Ignore(s)
			}
		}
	}
}

// catchable says that a program may handle a signal.
func catchable(s syscall.Signal) bool { return s != syscall.SIGKILL && s != syscall.SIGSTOP }
