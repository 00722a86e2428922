package lifecycle

import (
	"errors"
	"strings"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/exit"
)

// Page is where a browser finds the page of the daemon, without a slash at the end.
func (t *Target) Page() (string, error) {
	address := t.Address
	if address == "" {
		folder, err := t.Folder()
		if err != nil {
			return "", err
		}
		a, err := folder.ReadAddress()
		if err != nil {
			return "", err
		}
		if address = a.HTTP; address == "" {
			return "", exit.WithHint(errors.New("the daemon listens on its unix socket alone, which no browser reaches"),
				"start it with an address of this machine: --listen 127.0.0.1:7433")
		}
	}
	switch {
	case strings.HasPrefix(address, "http://"), strings.HasPrefix(address, "https://"):
	case strings.Contains(address, "/"), strings.HasPrefix(address, "unix:"):
		return "", exit.Usagef("no browser reaches a unix socket: name the daemon by --data, or --address by its HOST:PORT")
	default:
		address = "http://" + address
	}
	return strings.TrimRight(address, "/"), nil
}
