// Package lifecycle is the life of a daemon as commands see it: which one is meant, where it is, how it is started where none runs, what it is at
// work on, and how it is ended.
package lifecycle

import (
	"context"
	"os"
	"path/filepath"

	"github.com/spf13/pflag"

	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/console"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/daemon"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/datafolder"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/exit"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/settings"
)

// Target is the daemon that a command line means. Members that are empty are found out.
type Target struct {
	Console   *console.Console
	Data      string // its data folder
	Address   string // its URL, HOST:PORT or unix socket
	TokenFile string
	Config    string // its configuration file
}

// AddTo gives the flags that say which daemon is meant to a set.
func (t *Target) AddTo(f *pflag.FlagSet) {
	f.StringVar(&t.Data, "data", "", "data folder of the daemon (default $"+datafolder.EnvData+", else ~/.local/state/ringmaster)")
	f.StringVar(&t.Address, "address", "", "daemon's URL, HOST:PORT or unix socket (default: as its data folder says)")
	f.StringVar(&t.TokenFile, "token-file", "", "file with the daemon's token (default: token in the data folder)")
	f.StringVar(&t.Config, "config", "", "configuration file (default $"+settings.EnvFile+", else ~/.config/ringmaster/config.toml)")
}

// Folder is the data folder: of the command line, the environment, the configuration file, or the default.
func (t *Target) Folder() (datafolder.Folder, error) {
	if t.Data != "" {
		return datafolder.At(t.Data)
	}
	if os.Getenv(datafolder.EnvData) != "" {
		return datafolder.Default()
	}
	file, err := t.configFile()
	if err != nil {
		return datafolder.Folder{}, err
	}
	path, ok, err := file.Folder(settings.Data)
	if err != nil {
		return datafolder.Folder{}, err
	}
	if ok {
		return datafolder.At(path)
	}
	return datafolder.Default()
}

// Local is the data folder, for a command that reaches the daemon's process.
func (t *Target) Local(command string) (datafolder.Folder, error) {
	if t.Address != "" {
		return datafolder.Folder{}, exit.Usagef("%s is for the daemon of a data folder: name it with --data, not with --address", command)
	}
	return t.Folder()
}

// configFile is the configuration file, which need not be there.
func (t *Target) configFile() (settings.File, error) {
	path, named, err := settings.Find(t.Config)
	if err != nil {
		return settings.File{}, err
	}
	return settings.Read(path, named)
}

// ConfigArgs name the configuration file to a daemon that is started.
func (t *Target) ConfigArgs() []string {
	path, err := filepath.Abs(t.Config)
	if t.Config == "" || err != nil {
		return nil
	}
	return []string{"--config", path}
}

// Settings completes the flags of a daemon by what the configuration says.
func (t *Target) Settings(flags *settings.Flags) (*settings.Settings, error) {
	file, err := t.configFile()
	if err != nil {
		return nil, err
	}
	return settings.Complete(flags, file)
}

// DaemonConfig checks settings, and makes of them what the daemon is started with where this process is to be it.
func (t *Target) DaemonConfig(s *settings.Settings) (daemon.Config, error) {
	folder, err := t.Folder()
	if err != nil {
		return daemon.Config{}, err
	}
	return s.Config(t.Console, folder)
}

// Find is the client of the daemon that there is, which need not answer.
func (t *Target) Find() (*client.Client, error) {
	folder, err := t.Folder()
	if err != nil && t.Address == "" {
		return nil, err
	}
	return Place{Folder: folder, Address: t.Address, TokenFile: t.TokenFile}.Find()
}

// Reach is the client of a daemon that answers.
func (t *Target) Reach(ctx context.Context) (*client.Client, error) {
	c, err := t.Find()
	if err != nil {
		return nil, err
	}
	if _, err := c.Ready(ctx); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}
