// Ringmaster supervises sessions of coding agents. See `ringmaster --help`.
package main

import (
	"os"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/command"
)

func main() { os.Exit(command.Main()) }
