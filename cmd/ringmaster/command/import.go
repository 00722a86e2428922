package command

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/conversion"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/daemon"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/datafolder"
)

func (p *Program) importLog() *cobra.Command {
	var name, start string
	cmd := &cobra.Command{
		Use:   "import --agent AGENT FILE…|-",
		Short: "Make canonical logs of an agent's recorded lines",
		Long: `Make canonical logs of what was recorded of an agent: its native lines, or records of the form
{"t_ms":165,"dir":"out","data":{…}}. They go through the same translator and session core as a running agent's, and come
out on standard output as NDJSON; several sessions in one recording, or several files, one log after the other. The same
input gives the same bytes. No daemon is needed.`,
		Args: args(1, -1),
		Example: `  ringmaster import --agent pi recording.jsonl > log.ndjson
  pi --mode rpc < commands.jsonl | ringmaster import --agent pi -`,
		RunE: func(_ *cobra.Command, files []string) error {
			began, err := time.Parse(time.RFC3339, start)
			if err != nil {
				return usagef("--start: want a time such as 2026-01-31T12:00:00Z")
			}
			agent, err := findAgent(daemon.Agents(datafolder.Folder{}, buildVersion()), name)
			if err != nil {
				return err
			}
			out := bufio.NewWriterSize(p.Out, 64<<10)
			for _, file := range files {
				if err := p.importFile(out, file, conversion.Options{Agent: agent, Name: filepath.Base(file), Start: began}); err != nil {
					return errors.Join(err, out.Flush())
				}
			}
			return out.Flush()
		},
	}
	cmd.Flags().StringVarP(&name, "agent", "a", "", "the agent whose lines they are")
	cmd.Flags().StringVar(&start, "start", "1970-01-01T00:00:00Z", "when the recording began; the times of the log count from here")
	_ = cmd.MarkFlagRequired("agent")
	return cmd
}

func (p *Program) importFile(w io.Writer, file string, opt conversion.Options) error {
	in := p.In
	if file != "-" {
		f, err := os.Open(file) //nolint:gosec // the user's own choice
		if err != nil {
			return fmt.Errorf("import: %w", err)
		}
		defer func() { _ = f.Close() }()
		in = f
	}
	if _, err := conversion.Convert(w, in, opt); err != nil {
		return fmt.Errorf("import %s: %w", file, err)
	}
	return nil
}

func findAgent(list []adapters.Agent, name string) (adapters.Agent, error) {
	var names []string
	for _, a := range list {
		if a.Name() == name {
			return a, nil
		}
		names = append(names, a.Name())
	}
	return nil, &exitError{exitNoAgent, withHint(fmt.Errorf("there is no agent %q", name), "there are: "+strings.Join(names, ", "))}
}
