package command

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/client"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/terminal"
)

func (p *Program) raw() *cobra.Command {
	var q client.RawQuery
	cmd := &cobra.Command{
		Use:   "raw SESSION",
		Short: "Print the native lines of a session's agent, both ways",
		Long: `Print what went over the connections to a session's agent, as it was, one JSON object per line: what the agent said (dir
out), what it was told (in), its last words on standard error (err), and where connections begin and end (meta). from and to are the events
that a line's batch became. It is a recording: ringmaster import makes a log of it.`,
		Args: args(1, 1),
		Example: `  ringmaster raw @last | jq -c .data
  ringmaster raw 3f2a --from 40 --to 44
  ringmaster raw @last | ringmaster import --agent pi -`,
		ValidArgsFunction: p.completeSession,
		RunE: func(cmd *cobra.Command, args []string) error {
			c, id, err := p.session(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			defer c.Close()
			r, err := c.Raw(cmd.Context(), id, q)
			if err != nil {
				return err
			}
			defer func() { _ = r.Close() }()
			if r.First > 1 && q.From == 0 {
				_, _ = fmt.Fprintf(p.Err, "ringmaster: the archive begins with line %d: it is bounded\n", r.First)
			}
			return copyLog(p.Out, r)
		},
	}
	f := cmd.Flags()
	f.Uint64Var(&q.From, "from", 0, "only lines that became this event or later ones")
	f.Uint64Var(&q.To, "to", 0, "only lines that became this event or earlier ones")
	f.StringVar(&q.Dir, "dir", "", "only out, in, err, meta or note")
	_ = cmd.RegisterFlagCompletionFunc("dir", cobra.FixedCompletions([]string{"out", "in", "err", "meta", "note"}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// copyText copies a text of an agent's; to a terminal without what could steer it.
func copyText(w io.Writer, r io.Reader) error {
	_, tty := terminalOf(w)
	var clean terminal.Cleaner
	buf := make([]byte, 32<<10)
	for {
		n, err := r.Read(buf)
		piece := string(buf[:n])
		if tty {
			piece = clean.Clean(piece)
		}
		if _, werr := io.WriteString(w, piece); werr != nil {
			return werr
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read the text: %w", err)
		}
	}
}
