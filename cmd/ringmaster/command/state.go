package command

import (
	"context"
	"fmt"
	"time"

	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/console"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/datafolder"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/lifecycle"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/terminal"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// daemonState is what status tells of a daemon.
type daemonState struct {
	Running    bool                `json:"running"`
	PID        int                 `json:"pid,omitempty"`
	Version    string              `json:"version,omitempty"`
	HTTP       string              `json:"http,omitempty"`
	Socket     string              `json:"socket,omitempty"`
	Since      int64               `json:"since,omitempty"` // Unix ms
	Data       string              `json:"data"`
	Log        string              `json:"log,omitempty"`
	Roots      []string            `json:"roots"`
	TakesRoots bool                `json:"takesRoots"`
	IdleExit   int64               `json:"idleExit"` // ms; 0: it stays
	AtWork     lifecycle.Work      `json:"atWork"`   // sessions
	Core       *resource.CoreState `json:"core,omitempty"`
}

// stateOf asks a daemon of a data folder for its state.
func stateOf(ctx context.Context, folder datafolder.Folder, c *client.Client) (daemonState, error) {
	version, err := c.Ready(ctx)
	if err != nil {
		return daemonState{}, err
	}
	ready, err := c.Readiness(ctx)
	if err != nil {
		return daemonState{}, err
	}
	a, err := folder.ReadAddress()
	if err != nil {
		return daemonState{}, err
	}
	work, err := lifecycle.WorkOf(ctx, c)
	if err != nil {
		return daemonState{}, err
	}
	s := daemonState{
		Running: true, PID: a.PID, Version: version, HTTP: a.HTTP, Socket: a.Socket, Since: a.Since, Data: folder.Path, Roots: append([]string{}, a.Roots...),
		TakesRoots: a.TakesRoots, IdleExit: a.IdleExit, AtWork: work, Core: ready.Core,
	}
	if a.Background {
		s.Log = folder.LogFile()
	}
	return s, nil
}

func (s *daemonState) print(con *console.Console) error {
	_, err := fmt.Fprintf(con.Out, "daemon %d runs since %s, version %s\n", s.PID, console.Ago(con.Now(), time.UnixMilli(s.Since)), s.Version)
	row := func(name, text string) {
		if err == nil && text != "" {
			_, err = fmt.Fprintf(con.Out, "  %-7s %s\n", name, terminal.Visible(text))
		}
	}
	row("http", s.HTTP)
	if s.HTTP != "" {
		row("page", s.HTTP+"/ (ringmaster web opens it, logged in)")
	}
	row("socket", s.Socket)
	row("data", s.Data)
	row("log", s.Log)
	roots := joined(s.Roots)
	if s.TakesRoots {
		roots += " (and where run and new are called)"
	}
	row("roots", roots)
	row("work", s.AtWork.String())
	if s.Core != nil {
		row("core", lifecycle.CoreText(s.Core))
	}
	ends := "with ringmaster down"
	if s.IdleExit > 0 {
		ends = "by itself, after " + lifecycle.Minutes(time.Duration(s.IdleExit)*time.Millisecond) + " without work; ringmaster up has it stay"
	}
	row("ends", ends)
	return err
}

// tell says what a daemon is doing that a command has started or found.
func tell(ctx context.Context, con *console.Console, folder datafolder.Folder, c *client.Client) error {
	s, err := stateOf(ctx, folder, c)
	if err != nil {
		return err
	}
	return s.print(con)
}
