package settings

import (
	"path/filepath"
	"slices"
	"time"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/daemon"
	"github.com/spf13/pflag"
	"go.uber.org/zap"
)

// Settings are the settings of a daemon, and where each is from.
type Settings struct {
	flags *Flags
	from  map[string]string
	file  File
	level zap.AtomicLevel // of the log, once they were found right
}

// Complete gives the flags that were not on the command line their values.
func Complete(flags *Flags, file File) (*Settings, error) {
	from, err := Resolve(flags.set, file)
	if err != nil {
		return nil, err
	}
	return &Settings{flags: flags, from: from, file: file, level: zap.NewAtomicLevel()}, nil
}

// Given says that a setting was given: by a flag, the environment or the file.
func (s *Settings) Given(name string) bool { return s.from[name] != FromDefault }

// Roots are the folders that somebody has named.
func (s *Settings) Roots() []string { return s.flags.roots }

// Core is where Core is; the zero value: there is none.
func (s *Settings) Core() (daemon.Core, error) { return s.flags.core.Core() }

// IdleExit is after how long without work the daemon ends itself.
func (s *Settings) IdleExit() time.Duration { return s.flags.idleExit }

// Args are the flags of the command line, as they are given to a daemon that is started so.
func (s *Settings) Args() (args []string) {
	s.flags.set.VisitAll(func(f *pflag.Flag) {
		if !f.Changed || f.Hidden {
			return
		}
		if list, ok := f.Value.(pflag.SliceValue); ok {
			for _, v := range list.GetSlice() {
				args = append(args, "--"+f.Name+"="+v)
			}
			return
		}
		args = append(args, "--"+f.Name+"="+f.Value.String())
	})
	return args
}

// MakeWhole makes the paths of flags whole: a daemon in the background works in another folder.
func (s *Settings) MakeWhole() error {
	for _, path := range []*string{
		&s.flags.certFile, &s.flags.keyFile, &s.flags.socket, &s.flags.prices, &s.flags.core.passwordFile, &s.flags.core.tokenFile,
		&s.flags.core.caFile, &s.flags.core.objects.keysFile,
	} {
		if *path == "" || *path == none {
			continue
		}
		abs, err := filepath.Abs(*path)
		if err != nil {
			return err
		}
		*path = abs
	}
	for i, r := range s.flags.roots {
		abs, err := filepath.Abs(r)
		if err != nil {
			return err
		}
		s.flags.roots[i] = abs
	}
	return nil
}

// live are the settings that a daemon takes while it runs. A root is added so, and only a restart takes one away; a certificate and
// prices are read again whenever the configuration is.
var live = []string{"idle-exit", "log-level", "prices", "root", "tls-cert", "tls-key", "webhook-allow"}

// Setting is one of the settings, for people and programs.
type Setting struct {
	Name   string `json:"name"`
	Value  string `json:"value"` // as it stands in the file
	From   string `json:"from"`
	Reload bool   `json:"reload"` // it can change while a daemon runs
}

// List gives the daemon's settings.
func (s *Settings) List() []Setting {
	list := []Setting{}
	s.flags.set.VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			list = append(list, Setting{f.Name, Written(f), s.from[f.Name], slices.Contains(live, f.Name)})
		}
	})
	return list
}

// DataFolder is the setting of the data folder, which is no flag of the daemon alone; flag: what the command line says of it.
func (s *Settings) DataFolder(path, flag string) (Setting, error) {
	f := pflag.NewFlagSet("", pflag.ContinueOnError)
	f.String(Data, path, "")
	from, err := s.fromData(flag)
	return Setting{Data, Written(f.Lookup(Data)), from, false}, err
}

func (s *Settings) fromData(flag string) (string, error) {
	f := pflag.NewFlagSet("", pflag.ContinueOnError)
	f.StringVar(&flag, Data, flag, "")
	f.Lookup(Data).Changed = flag != ""
	from, err := Resolve(f, s.file.Only(Data))
	return from[Data], err
}

// File is the configuration file that was read.
func (s *Settings) File() File { return s.file }
