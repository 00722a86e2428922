package settings

import (
	"reflect"
	"slices"

	"github.com/spf13/pflag"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/daemon"
)

// Rereading gives what a daemon reads its configuration again with, for cfg as it was started. read gives the settings of flags as the
// configuration has them now, and what a daemon would be started with.
func (s *Settings) Rereading(cfg daemon.Config, read func(*Flags) (*Settings, daemon.Config, error)) func() (daemon.Change, error) {
	now, level, prices := s, s.level, cfg.Prices
	return func() (daemon.Change, error) {
		flags, err := now.flags.again()
		if err != nil {
			return daemon.Change{}, err
		}
		next, fresh, err := read(flags)
		if err != nil {
			return daemon.Change{}, err
		}
		c := daemon.Change{
			File: next.file.Path, Roots: fresh.Found.Named,
			IdleExit: fresh.IdleExit, Certificate: fresh.Listen.Certificate, Prices: fresh.Prices, Webhooks: fresh.Webhooks,
		}
		if (fresh.Listen.Certificate == nil) != (cfg.Listen.Certificate == nil) {
			c.Certificate = nil // TLS begins and ends with a restart
		}
		next.flags.set.VisitAll(func(f *pflag.Flag) {
			was := now.flags.set.Lookup(f.Name)
			if f.Hidden || Written(was) == Written(f) {
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
		if !reflect.DeepEqual(prices, fresh.Prices) && !slices.Contains(c.Applied, "prices") { // the same file says something else
			c.Applied = append(c.Applied, "prices")
		}
		prices = fresh.Prices
		level.SetLevel(next.level.Level())
		now = next.keeping(now, c.Restart)
		return c, nil
	}
}

// again are flags that have the values of those that were on the command line.
func (s *Flags) again() (*Flags, error) {
	flags := NewFlags()
	var err error
	s.set.VisitAll(func(f *pflag.Flag) {
		if f.Changed && err == nil {
			err = copyFlag(flags.set.Lookup(f.Name), f)
		}
	})
	return flags, err
}

// copyFlag gives a flag the value that another has.
func copyFlag(to, from *pflag.Flag) error {
	to.Changed = true
	if list, ok := from.Value.(pflag.SliceValue); ok {
		return to.Value.(pflag.SliceValue).Replace(list.GetSlice())
	}
	return to.Value.Set(from.Value.String())
}

// keeping are the settings of a daemon after a change, of which those are as they were that wait for a restart.
func (s *Settings) keeping(was *Settings, waiting []string) *Settings {
	for _, name := range waiting {
		changed := s.flags.set.Lookup(name).Changed
		_ = copyFlag(s.flags.set.Lookup(name), was.flags.set.Lookup(name)) // it was taken before
		s.flags.set.Lookup(name).Changed = changed
	}
	return s
}

func holdsAll(list, want []string) bool {
	return !slices.ContainsFunc(want, func(w string) bool { return !slices.Contains(list, w) })
}
