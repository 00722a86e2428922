package mirror

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/api/client/cache"
	"github.com/ringmaster-agents/ringmaster/scenarios/leaks"
)

// What a child process is told: the daemon's address and token, and the folder of its cache.
const (
	addressEnv = "RINGMASTER_MIRROR_ADDRESS"
	tokenEnv   = "RINGMASTER_MIRROR_TOKEN"
	cacheEnv   = "RINGMASTER_MIRROR_CACHE"
)

func TestMain(m *testing.M) {
	if address := os.Getenv(addressEnv); address != "" {
		fmt.Fprintln(os.Stderr, mirrorUntilKilled(address, os.Getenv(tokenEnv), os.Getenv(cacheEnv)))
		os.Exit(1)
	}
	leaks.Main(m)
}

// saveEvery is after how many lines a mirror stores a state: these sessions are short.
const saveEvery = 3

// mirrorUntilKilled says of each change what it is of: the session, "line", "restored" or "reset", and the number of the line.
func mirrorUntilKilled(address, token, dir string) error {
	folder, err := cache.Open(dir, cache.Options{})
	if err != nil {
		return err
	}
	c, err := client.At(address, token)
	if err != nil {
		return err
	}
	m := c.Mirror(client.MirrorOptions{Cache: client.Files(folder), States: true, SaveEvery: saveEvery})
	changes, ended := make(chan error, 1), make(chan error, 1)
	go func() { // ends with the process
		out := bufio.NewWriterSize(os.Stdout, 1) // each line for itself
		for change, err := range m.Changes(context.Background()) {
			if err != nil {
				changes <- err
				return
			}
			switch change := change.(type) {
			case client.SessionLine:
				fmt.Fprintln(out, change.ID, "line", change.Line.At.Seq)
			case client.SessionRestored:
				fmt.Fprintln(out, change.ID, "restored", change.At.Seq)
			case client.SessionReset:
				fmt.Fprintln(out, change.ID, "reset", 0)
			case client.SessionGone, client.SessionChanged, client.SessionNotice, client.ListCurrent:
			}
		}
	}()
	go func() { ended <- m.Run(context.Background()) }() // ends with the process
	select {
	case err := <-changes:
		return err
	case err := <-ended:
		return err
	}
}
