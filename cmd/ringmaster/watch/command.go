package watch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol/notice"
)

// grace is how long a command has to end by itself when it is told to.
const grace = 5 * time.Second

// errTooLong says that a command was ended.
var errTooLong = errors.New("it took too long")

// Command is what is run for each notice: a program and its arguments, without a shell. Nothing that an agent has written is in arguments or environment.
type Command struct {
	Args     []string
	Timeout  time.Duration // 0: none
	Out, Err io.Writer
}

// run runs the command with the notice on its standard input. It ends the command with all processes of its group when the time is over, or ctx is done.
func (c *Command) run(ctx context.Context, n *notice.Notice) error {
	body, err := n.MarshalJSON()
	if err != nil {
		return err
	}
	if c.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, c.Timeout, errTooLong)
		defer cancel()
	}
	cmd := exec.CommandContext(ctx, c.Args[0], c.Args[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(append(body, '\n')), c.Out, c.Err
	cmd.Env = append(withoutSecrets(os.Environ()), variables(n)...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
	cmd.WaitDelay = grace
	err = cmd.Run()
	if cause := context.Cause(ctx); cause != nil && cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // what is left of the group
		return fmt.Errorf("ended: %w", cause)
	}
	return err
}

// withoutSecrets leaves out the variables with which this program is told a token.
func withoutSecrets(env []string) []string {
	var out []string
	for _, v := range env {
		if name, _, _ := strings.Cut(v, "="); !strings.HasPrefix(name, "RINGMASTER_") || !strings.Contains(name, "TOKEN") {
			out = append(out, v)
		}
	}
	return out
}

// variables are the members of a notice that a script asks for most: ids and words of the protocol, no text.
func variables(n *notice.Notice) []string {
	env := []string{
		"RINGMASTER_KIND=" + string(n.Kind), "RINGMASTER_SESSION=" + n.About.SessionID, "RINGMASTER_CURSOR=" + n.About.Cursor,
		"RINGMASTER_AGENT=" + n.About.Agent,
	}
	switch w := n.What.(type) {
	case notice.Request:
		env = append(env, "RINGMASTER_REQUEST="+w.RequestID, "RINGMASTER_REQUEST_KIND="+string(w.RequestKind), "RINGMASTER_TURN="+w.TurnID)
	case notice.Turn:
		env = append(env, "RINGMASTER_TURN="+w.TurnID, "RINGMASTER_STATUS="+string(w.Status), "RINGMASTER_CAUSE="+string(w.Cause))
	case notice.End:
		env = append(env, "RINGMASTER_REASON="+string(w.Reason))
	case notice.Budget:
		env = append(env, "RINGMASTER_SCOPE="+string(w.Scope), "RINGMASTER_LIMIT="+string(w.Limit), "RINGMASTER_STATE="+string(w.State))
	case notice.Missed, nil:
	}
	return env
}
