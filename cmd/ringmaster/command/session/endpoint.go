package session

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/exit"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// endpointFlags say where an agent runs already. Its password comes from a file: command lines are seen by all users of a machine.
type endpointFlags struct{ url, user, passwordFile string }

func (e *endpointFlags) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&e.url, "endpoint", "", "attach to an agent that runs already: http://HOST:PORT, https, ws, wss or unix:///PATH")
	f.StringVar(&e.user, "endpoint-user", "", "user name that the endpoint wants")
	f.StringVar(&e.passwordFile, "endpoint-password-file", "", "file with the password that the endpoint wants")
	_ = cmd.MarkFlagFilename("endpoint-password-file")
}

// endpoint is nil where the daemon starts the agent.
func (e *endpointFlags) endpoint() (*resource.NewEndpoint, error) {
	if e.url == "" {
		if e.user != "" || e.passwordFile != "" {
			return nil, exit.Usagef("--endpoint-user and --endpoint-password-file go with --endpoint")
		}
		return nil, nil
	}
	out := &resource.NewEndpoint{URL: e.url, Username: e.user}
	if e.passwordFile != "" {
		b, err := os.ReadFile(e.passwordFile)
		if err != nil {
			return nil, fmt.Errorf("--endpoint-password-file: %w", err)
		}
		out.Password = strings.TrimRight(string(b), "\r\n")
	}
	return out, nil
}
