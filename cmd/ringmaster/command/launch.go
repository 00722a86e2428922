package command

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/datafolder"
)

// maxDaemonLog is how large the log of a daemon in the background may be when another begins, in bytes: a larger one is put aside, and
// the one that was put aside before goes.
const maxDaemonLog = 8 << 20

// launch is a daemon that outlives the command which starts it.
type launch struct {
	folder datafolder.Folder
	roots  []string // that nobody has named, but commands worked in
	flags  []string // of serve
	idle   time.Duration
}

// running is a daemon that was started.
type running struct {
	ended chan struct{} // closed when its process is over, as soon as the data folder turns out to be another daemon's
	log   string
	from  int64 // where its own part of the log begins
}

func (l launch) start() (*running, error) {
	if err := l.folder.Create(); err != nil {
		return nil, err
	}
	if info, err := os.Stat(l.folder.LogFile()); err == nil && info.Size() > maxDaemonLog {
		_ = os.Rename(l.folder.LogFile(), l.folder.LogFile()+".1") // else it grows on
	}
	log, err := os.OpenFile(l.folder.LogFile(), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("log of the daemon: %w", err)
	}
	defer func() { _ = log.Close() }()
	program, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find this program: %w", err)
	}
	call := append([]string{"serve", "--data", l.folder.Path, "--background"}, l.flags...)
	for _, r := range l.roots {
		call = append(call, "--folder", r)
	}
	run := &running{ended: make(chan struct{}), log: l.folder.LogFile()}
	run.from, _ = log.Seek(0, io.SeekEnd)
	cmd := exec.Command(program, call...)
	cmd.Stderr = log
	cmd.Dir = l.folder.Path
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // the signals of the command's terminal are not for it
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start a daemon: %w", err)
	}
	go func() { // ends with the daemon, or with the program
		_ = cmd.Wait() // its log says why
		close(run.ended)
	}()
	return run, nil
}

// over says that the process is over.
func (r *running) over() bool {
	select {
	case <-r.ended:
		return true
	default:
		return false
	}
}

// lastLine is what a daemon said last that is over.
func (r *running) lastLine() string {
	if r == nil || !r.over() {
		return ""
	}
	log, err := os.Open(r.log)
	if err != nil {
		return ""
	}
	defer func() { _ = log.Close() }()
	text, err := io.ReadAll(io.NewSectionReader(log, r.from, 64<<10))
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(text)) {
		if said, ok := strings.CutPrefix(line, "ringmaster: "); ok {
			return strings.TrimSpace(said)
		}
	}
	return ""
}
