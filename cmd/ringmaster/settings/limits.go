package settings

import (
	"github.com/spf13/pflag"

	"github.com/ringmaster-agents/ringmaster/api"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/exit"
)

// limits are those of the daemon that are settings.
type limits struct {
	rate, streams int
	inFlight      int64 // MiB
}

func (l *limits) addTo(f *pflag.FlagSet) {
	f.IntVar(&l.rate, "session-rate", api.DefaultSessionRate, "sessions that one token may make in a second, 1 to 1000, after 1000 at once; an agent makes one")
	f.IntVar(&l.streams, "max-streams", api.DefaultStreams, "streams at once, 16 to 1000000; one token has three quarters at most")
	f.Int64Var(&l.inFlight, "max-in-flight", api.DefaultInFlight>>20,
		"MiB of bodies that come or are at work, and as many of answers that are made as a whole, 64 to 65536; one token has three quarters at most")
}

func (l *limits) check() error {
	switch {
	case l.rate < 1 || l.rate > 1000:
		return exit.Usagef("--session-rate %d: want 1 to 1000", l.rate)
	case l.streams < 16 || l.streams > 1_000_000:
		return exit.Usagef("--max-streams %d: want 16 to 1000000", l.streams)
	case l.inFlight < 64 || l.inFlight > 65536: // a prompt with its images has 47 MB
		return exit.Usagef("--max-in-flight %d: want 64 to 65536, in MiB", l.inFlight)
	}
	return nil
}
