package doctor

import (
	"fmt"
	"time"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/console"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/exit"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/terminal"
)

const patience = 10 * time.Second // for each program that is asked for its version, and for the daemon

// finding is the result of one check.
type finding struct {
	Check   string `json:"check"`
	Verdict string `json:"verdict"` // ok, warning, failure
	Text    string `json:"text"`
	Mend    string `json:"mend,omitempty"` // a command, or what to do
}

// The verdicts.
const (
	verdictOK      = "ok"
	verdictWarning = "warning"
	verdictFailure = "failure"
)

// verdictOf is a failure with what mends it, or good.
func verdictOf(check, good string, err error) finding {
	if err == nil {
		return finding{check, verdictOK, good, ""}
	}
	return finding{check, verdictFailure, exit.InCommands(err.Error()), exit.Hint(err)}
}

func printFindings(con *console.Console, list []finding) error {
	style := con.Style()
	width := 0
	for _, f := range list {
		width = max(width, len(f.Check))
	}
	for _, f := range list {
		mark := style.Good("✓")
		switch f.Verdict {
		case verdictWarning:
			mark = style.Warn("!")
		case verdictFailure:
			mark = style.Bad("✗")
		}
		if _, err := fmt.Fprintf(con.Out, "%s %-*s  %s\n", mark, width, f.Check, terminal.Visible(f.Text)); err != nil {
			return err
		}
		if f.Mend != "" {
			if _, err := fmt.Fprintf(con.Out, "  %-*s  → %s\n", width, "", terminal.Visible(f.Mend)); err != nil {
				return err
			}
		}
	}
	return nil
}
