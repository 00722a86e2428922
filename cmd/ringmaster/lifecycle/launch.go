package lifecycle

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/datafolder"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/logfile"
)

// Launch is a daemon that outlives the command which starts it.
type Launch struct {
	Folder datafolder.Folder
	Roots  []string // that nobody has named, but commands worked in
	Flags  []string // of serve
	idle   time.Duration
}

// running is a daemon that was started.
type running struct {
	process *os.Process
	ended   chan struct{} // closed when its process is over, as soon as the data folder turns out to be another daemon's
	log     string
	from    int64 // where its own part of the log begins
}

func (l Launch) start() (*running, error) {
	if err := l.Folder.Create(); err != nil {
		return nil, err
	}
	log, err := logfile.Open(l.Folder.LogFile())
	if err != nil {
		return nil, err
	}
	defer func() { _ = log.Close() }()
	program, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find this program: %w", err)
	}
	call := append([]string{"serve", "--data", l.Folder.Path, "--background"}, l.Flags...)
	for _, r := range l.Roots {
		call = append(call, "--folder", r)
	}
	run := &running{ended: make(chan struct{}), log: l.Folder.LogFile()}
	run.from, _ = log.Seek(0, io.SeekEnd)
	cmd := exec.Command(program, call...)
	cmd.Stderr = log
	cmd.Dir = l.Folder.Path
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // the signals of the command's terminal are not for it
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start a daemon: %w", err)
	}
	run.process = cmd.Process
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

// answers says that the daemon which answers for the folder is this one. Where another one does, this one is not needed, and is ended: on a slow
// machine it would find the folder free when somebody ends that one.
func (r *running) answers(folder datafolder.Folder) bool {
	if r == nil {
		return false
	}
	a, err := folder.ReadAddress()
	if err == nil && a.PID != r.process.Pid {
		_ = r.process.Signal(syscall.SIGTERM) // it may have ended
	}
	return err == nil && a.PID == r.process.Pid
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
	from := r.from
	if info, err := log.Stat(); err != nil || info.Size() < from { // it was put aside meanwhile
		from = 0
	}
	text, err := io.ReadAll(io.NewSectionReader(log, from, 64<<10))
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
