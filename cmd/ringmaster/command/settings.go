package command

import (
	"slices"

	"github.com/spf13/pflag"
	"go.uber.org/zap"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/daemon"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/settings"
)

// daemonSettings are the settings of a daemon, and where each is from.
type daemonSettings struct {
	flags *serveFlags
	set   *pflag.FlagSet
	from  map[string]string
	file  settings.File
	level zap.AtomicLevel // of the log, once they were found right
}

// configFile is the configuration file, which need not be there.
func (p *Program) configFile() (settings.File, error) {
	path, named, err := settings.Find(p.config)
	if err != nil {
		return settings.File{}, err
	}
	return settings.Read(path, named)
}

// settings are those of a daemon that is started with the flags of a set; nil: with none.
func (p *Program) settings(given *pflag.FlagSet) (*daemonSettings, error) {
	flags := &serveFlags{}
	set := flags.set()
	if given != nil {
		var err error
		given.VisitAll(func(f *pflag.Flag) {
			if f.Changed && err == nil {
				err = again(set.Lookup(f.Name), f)
			}
		})
		if err != nil {
			return nil, err
		}
	}
	return p.settingsOf(flags, set)
}

// again gives a flag the value that another has.
func again(to, from *pflag.Flag) error {
	to.Changed = true
	if list, ok := from.Value.(pflag.SliceValue); ok {
		return to.Value.(pflag.SliceValue).Replace(list.GetSlice())
	}
	return to.Value.Set(from.Value.String())
}

// settingsOf completes the flags of a command.
func (p *Program) settingsOf(flags *serveFlags, set *pflag.FlagSet) (*daemonSettings, error) {
	file, err := p.configFile()
	if err != nil {
		return nil, err
	}
	s := &daemonSettings{flags: flags, set: set, file: file, level: zap.NewAtomicLevel()}
	s.from, err = settings.Resolve(set, file)
	return s, err
}

// given says that a setting was given: by a flag, the environment or the file.
func (s *daemonSettings) given(name string) bool { return s.from[name] != settings.FromDefault }

// args are the flags of the command line, as they are given to a daemon that is started so.
func (s *daemonSettings) args() (args []string) {
	s.set.VisitAll(func(f *pflag.Flag) {
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

// live are the settings that a daemon takes while it runs. A root is added so, and only a restart takes one away; a certificate is read
// again whenever the configuration is.
var live = []string{"idle-exit", "log-level", "root", "tls-cert", "tls-key"}

// rereading gives what a daemon reads its configuration again with: with the flags that it was started with.
func (p *Program) rereading(now *daemonSettings, cfg daemon.Config) func() (daemon.Change, error) {
	level := now.level
	return func() (daemon.Change, error) {
		next, err := p.settings(now.set)
		if err != nil {
			return daemon.Change{}, err
		}
		fresh, err := p.serveConfig(next)
		if err != nil {
			return daemon.Change{}, err
		}
		c := daemon.Change{File: next.file.Path, Roots: fresh.Found.Named, IdleExit: fresh.IdleExit, Certificate: fresh.Listen.Certificate}
		if (fresh.Listen.Certificate == nil) != (cfg.Listen.Certificate == nil) {
			c.Certificate = nil // TLS begins and ends with a restart
		}
		next.set.VisitAll(func(f *pflag.Flag) {
			was := now.set.Lookup(f.Name)
			if f.Hidden || settings.Written(was) == settings.Written(f) {
				return
			}
			switch {
			case f.Name == "root" && !holdsAll(next.flags.roots, now.flags.roots), !slices.Contains(live, f.Name),
				(f.Name == "tls-cert" || f.Name == "tls-key") && c.Certificate == nil:
				c.Restart = append(c.Restart, f.Name)
			default:
				c.Applied = append(c.Applied, f.Name)
			}
		})
		level.SetLevel(next.level.Level())
		now = p.kept(now, next, c.Restart)
		return c, nil
	}
}

// kept are the settings of a daemon after a change, of which those are as they were that wait for a restart.
func (p *Program) kept(was, next *daemonSettings, waiting []string) *daemonSettings {
	for _, name := range waiting {
		changed := next.set.Lookup(name).Changed
		_ = again(next.set.Lookup(name), was.set.Lookup(name)) // it was taken before
		next.set.Lookup(name).Changed = changed
	}
	return next
}

func holdsAll(list, want []string) bool {
	return !slices.ContainsFunc(want, func(w string) bool { return !slices.Contains(list, w) })
}
