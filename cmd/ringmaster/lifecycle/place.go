package lifecycle

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/api/client/discovery"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/datafolder"
)

// clientID is how the log names what was done with this program.
const clientID = "ringmaster"

// Place says where to look for a daemon. Empty members are found out.
type Place struct {
	Folder    datafolder.Folder
	Address   string // base URL, HOST:PORT (http), or path of a unix socket; empty: as the folder's address file says
	TokenFile string // empty: the folder's
}

// Find makes the client of a place, as client.Find does for a folder alone. It does not connect.
func (p Place) Find() (*client.Client, error) {
	name := client.Named(clientID)
	if p.Address == "" && p.TokenFile == "" {
		return client.Find(p.Folder.Path, name)
	}
	address := p.Address
	if address == "" {
		a, err := p.Folder.ReadAddress()
		if errors.Is(err, fs.ErrNotExist) {
			return nil, &client.Unreachable{Where: p.Folder.Path}
		}
		if err != nil {
			return nil, err
		}
		if address = a.Socket; address == "" {
			address = a.HTTP
		}
	}
	token, err := p.token()
	if err != nil {
		return nil, err
	}
	if p.Address != "" && client.BeyondLoopback(address) {
		if err := p.refuseAdmin(token); err != nil {
			return nil, err
		}
	}
	return client.At(address, token, name)
}

// token reads the token. That of the folder need not be there: a unix socket may need none.
func (p Place) token() (string, error) {
	if p.TokenFile != "" {
		return discovery.ReadToken(p.TokenFile)
	}
	token, err := discovery.ReadToken(p.Folder.TokenFile())
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return token, err
}

// refuseAdmin refuses to send the administrator's token of this machine's daemon to another machine, also where its file is named.
func (p Place) refuseAdmin(token string) error {
	admin, err := discovery.ReadToken(p.Folder.TokenFile())
	if p.TokenFile == "" && (token != "" || !errors.Is(err, fs.ErrNotExist)) || token != "" && err == nil && token == admin {
		return fmt.Errorf("the administrator's token of this machine is not sent to %s: name a file with a token of that daemon with --token-file", p.Address)
	}
	return nil
}
