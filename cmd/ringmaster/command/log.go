package command

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/client"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

func (p *Program) log() *cobra.Command {
	var since cursorFlag
	var settled bool
	cmd := &cobra.Command{
		Use:   "log SESSION",
		Short: "Print a session's log as NDJSON",
		Long: `Print a session's log as NDJSON: whole, or as a patch that continues what was read up to a cursor. A patch appended to
what it continues is byte for byte the whole log.`,
		Args: args(1, 1),
		Example: `  ringmaster log @last > log.ndjson
  ringmaster log 3f2a --since $(tail -1 log.ndjson | jq .seq) >> log.ndjson
  ringmaster log @last --settled | jq -r 'select(.type == "entry_end") | .data.text // empty'`,
		ValidArgsFunction: p.completeSession,
		RunE: func(cmd *cobra.Command, args []string) error {
			c, id, err := p.session(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			defer c.Close()
			l, err := c.Log(cmd.Context(), id, client.LogQuery{Since: since.Cursor, Settled: settled})
			if err != nil {
				return err
			}
			defer func() { _ = l.Close() }()
			if err := copyLog(p.Out, l); err != nil || l.Damage == "" {
				return err
			}
			return protocol.NewProblem(protocol.CodeDamaged, "The log ends early: "+l.Damage+".", "Its last line says so too, and is no event.")
		},
	}
	cmd.Flags().Var(&since, "since", "only what follows this cursor")
	cmd.Flags().BoolVar(&settled, "settled", false, "without the deltas of closed entries; the numbers stay")
	return cmd
}

// copyLog copies the bytes as they are; to a terminal with what could steer it escaped, which is the same JSON.
func copyLog(w io.Writer, r io.Reader) error {
	_, tty := terminalOf(w)
	if !tty {
		if _, err := io.Copy(w, r); err != nil {
			return fmt.Errorf("read the log: %w", err)
		}
		return nil
	}
	lines := bufio.NewReader(r)
	for {
		line, err := lines.ReadString('\n') // the daemon bounds a line: protocol.MaxEvent
		if _, werr := io.WriteString(w, escapeControls(line)); werr != nil {
			return werr
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read the log: %w", err)
		}
	}
}

func (p *Program) state() *cobra.Command {
	var at cursorFlag
	cmd := &cobra.Command{
		Use:   "state SESSION",
		Short: "Print what a session's log says, folded up to now or to a cursor",
		Args:  args(1, 1),
		Example: `  ringmaster state @last | jq .turns
  ringmaster state 3f2a --at 120`,
		ValidArgsFunction: p.completeSession,
		RunE: func(cmd *cobra.Command, args []string) error {
			c, id, err := p.session(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			defer c.Close()
			raw, err := c.State(cmd.Context(), id, at.Cursor)
			if err != nil {
				return err
			}
			return printJSON(p.Out, raw)
		},
	}
	cmd.Flags().Var(&at, "at", "the state after this event")
	return cmd
}
