package console

import (
	"github.com/spf13/cobra"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/exit"
)

// OwnSignals annotates a command that reads its signals itself.
const OwnSignals = "signals"

// Args bounds the number of arguments; upTo < 0: any number from least on.
func Args(least, upTo int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, given []string) error {
		if n := len(given); n < least || upTo >= 0 && n > upTo {
			return exit.Usagef("%s: wrong number of arguments (%d); usage: %s", cmd.Name(), n, cmd.UseLine())
		}
		return nil
	}
}

// CompleteWords completes the words of a flag, for shells.
func CompleteWords(cmd *cobra.Command, flag string, words ...string) {
	_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}

// ShowHelp is what a command does that has others below it and nothing of its own.
func ShowHelp(cmd *cobra.Command, _ []string) error { return cmd.Help() }
