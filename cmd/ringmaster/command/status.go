package command

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/client"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/datafolder"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/terminal"
)

// state is what status tells of a daemon.
type daemonState struct {
	Running    bool     `json:"running"`
	PID        int      `json:"pid,omitempty"`
	Version    string   `json:"version,omitempty"`
	HTTP       string   `json:"http,omitempty"`
	Socket     string   `json:"socket,omitempty"`
	Since      int64    `json:"since,omitempty"` // Unix ms
	Data       string   `json:"data"`
	Log        string   `json:"log,omitempty"`
	Roots      []string `json:"roots"`
	TakesRoots bool     `json:"takesRoots"`
	IdleExit   int64    `json:"idleExit"` // ms; 0: it stays
	AtWork     int      `json:"atWork"`   // sessions
}

func (p *Program) status() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Say whether a daemon runs, where, and what it is doing",
		Long:  "Say whether a daemon runs, where, and what it is doing. The exit code is 5 where none does.",
		Args:  args(0, 0),
		Example: `  ringmaster status
  ringmaster status --json | jq -r .http`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			folder, err := p.local("status")
			if err != nil {
				return err
			}
			c, err := p.reach(cmd.Context())
			var away *client.Unreachable
			switch {
			case err == nil:
				defer c.Close()
				return p.tellAs(cmd.Context(), folder, c, asJSON)
			case !errors.As(err, &away):
				return err
			}
			if pid, held := folder.Holder(); held {
				silent := &client.Unreachable{Where: fmt.Sprintf("%s (process %d)", folder.Path, pid), Err: errors.New("it holds the data folder")}
				return withHint(silent, "ringmaster logs shows why; ringmaster down ends it")
			}
			if asJSON {
				err = json.NewEncoder(p.Out).Encode(daemonState{Data: folder.Path, Roots: folder.Remembered()})
			} else {
				_, err = fmt.Fprintf(p.Out, "no daemon runs for %s\n  next    ringmaster up, or any command that needs one\n", folder.Path)
			}
			if err != nil {
				return err
			}
			return &exitError{code: exitNoDaemon}
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	return cmd
}

func (p *Program) tell(ctx context.Context, folder datafolder.Folder, c *client.Client) error {
	return p.tellAs(ctx, folder, c, false)
}

// tellAs says what a daemon is doing.
func (p *Program) tellAs(ctx context.Context, folder datafolder.Folder, c *client.Client, asJSON bool) error {
	version, err := c.Ready(ctx)
	if err != nil {
		return err
	}
	a, err := folder.ReadAddress()
	if err != nil {
		return err
	}
	busy, err := atWork(ctx, c)
	if err != nil {
		return err
	}
	s := daemonState{
		Running: true, PID: a.PID, Version: version, HTTP: a.HTTP, Socket: a.Socket, Since: a.Since, Data: folder.Path, Roots: append([]string{}, a.Roots...),
		TakesRoots: a.TakesRoots, IdleExit: a.IdleExit, AtWork: busy,
	}
	if a.Background {
		s.Log = folder.LogFile()
	}
	if asJSON {
		return json.NewEncoder(p.Out).Encode(s)
	}
	return p.printState(s)
}

func (p *Program) printState(s daemonState) error {
	_, err := fmt.Fprintf(p.Out, "daemon %d runs since %s, version %s\n", s.PID, ago(p.Now(), time.UnixMilli(s.Since)), s.Version)
	row := func(name, text string) {
		if err == nil && text != "" {
			_, err = fmt.Fprintf(p.Out, "  %-7s %s\n", name, terminal.Visible(text))
		}
	}
	row("http", s.HTTP)
	row("socket", s.Socket)
	row("data", s.Data)
	row("log", s.Log)
	roots := joined(s.Roots)
	if s.TakesRoots {
		roots += " (and where run and new are called)"
	}
	row("roots", roots)
	row("work", sessionsAtWork(s.AtWork))
	ends := "with ringmaster down"
	if s.IdleExit > 0 {
		ends = "by itself, after " + minutes(time.Duration(s.IdleExit)*time.Millisecond) + " without work; ringmaster up has it stay"
	}
	row("ends", ends)
	return err
}

func (p *Program) logs() *cobra.Command {
	var lines int
	var follow bool
	cmd := &cobra.Command{
		Use:   "logs",
		Short: "Show the log of the daemon in the background",
		Long: `Show the log of the daemon in the background. One that runs as a service, or in a terminal, writes to its standard error:
journalctl --user -u ringmaster.`,
		Args: args(0, 0),
		Example: `  ringmaster logs
  ringmaster logs -f | jq -r '.msg'`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			folder, err := p.local("logs")
			if err != nil {
				return err
			}
			a, err := folder.ReadAddress()
			if _, held := folder.Holder(); err == nil && held && !a.Background {
				return withHint(fmt.Errorf("the daemon that runs, process %d, writes to its own standard error", a.PID),
					"a service: journalctl --user -u ringmaster")
			}
			file, err := os.Open(folder.LogFile())
			if errors.Is(err, fs.ErrNotExist) {
				return withHint(errors.New("no daemon has run in the background for "+folder.Path), "start one with: ringmaster up")
			}
			if err != nil {
				return err
			}
			if err := lastLines(file, lines); err != nil {
				_ = file.Close()
				return err
			}
			return p.copyLog(cmd.Context(), file, follow)
		},
	}
	cmd.Flags().IntVarP(&lines, "lines", "n", 50, "how many of the last lines; 0: none, -1: all")
	cmd.Flags().BoolVarP(&follow, "follow", "f", false, "go on with what comes")
	return cmd
}

// lastLines goes to where the last n lines of a file begin.
func lastLines(file *os.File, n int) error {
	if n < 0 {
		return nil
	}
	at, err := file.Seek(0, io.SeekEnd)
	if err != nil || n == 0 {
		return err
	}
	block := make([]byte, 32<<10)
	for at > 0 {
		size := min(at, int64(len(block)))
		if _, err := file.ReadAt(block[:size], at-size); err != nil {
			return err
		}
		for i := size - 1; i >= 0; i-- {
			if block[i] != '\n' {
				continue
			}
			if n--; n < 0 {
				_, err := file.Seek(at-size+i+1, io.SeekStart)
				return err
			}
		}
		at -= size
	}
	_, err = file.Seek(0, io.SeekStart)
	return err
}

// copyLog prints a log from where the file is, and what comes, also in the file that takes its place. It closes the file.
func (p *Program) copyLog(ctx context.Context, file *os.File, follow bool) error {
	defer func() { _ = file.Close() }()
	look := time.NewTicker(logLook)
	defer look.Stop()
	rest := &tail{in: bufio.NewReader(file)}
	for {
		if err := rest.copy(p.Out); err != nil || !follow {
			return err
		}
		if next := successor(file); next != nil {
			err := rest.copy(p.Out) // what came before the file was put aside
			_ = file.Close()
			if file, rest = next, (&tail{in: bufio.NewReader(next)}); err != nil {
				return err
			}
			continue
		}
		select {
		case <-look.C:
		case <-ctx.Done():
			return nil
		}
	}
}

const logLook = 200 * time.Millisecond // between two looks for new lines

// successor is the file that has a file's name now; nil: it is this one, or there is none.
func successor(file *os.File) *os.File {
	next, err := os.Open(file.Name())
	if err != nil {
		return nil
	}
	was, err := file.Stat()
	is, other := next.Stat()
	if err != nil || other != nil || os.SameFile(was, is) {
		_ = next.Close()
		return nil
	}
	return next
}

// tail is what comes at the end of a log: whole lines.
type tail struct {
	in   *bufio.Reader
	part string
}

// copy prints the lines that are there.
func (t *tail) copy(out io.Writer) error {
	for {
		text, err := t.in.ReadString('\n')
		t.part += text
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintln(out, terminal.Visible(strings.TrimSuffix(t.part, "\n"))); err != nil {
			return err
		}
		t.part = ""
	}
}
