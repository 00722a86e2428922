package core

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"go.uber.org/zap"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/core/cold"
	"github.com/ringmaster-agents/ringmaster/actors/core/postgres"
	"github.com/ringmaster-agents/ringmaster/api/coreapi"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/console"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/daemon"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/lifecycle"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/settings"
)

// serve is the command core serve.
type serve struct {
	con *console.Console
	place
	listen            daemon.Listen
	certFile, keyFile string
	metricsFile       string
	hosts             []string
}

const (
	serveAt     = "127.0.0.1:7434"
	serveEnd    = 10 * time.Second // for calls that are under way when it is to end
	connections = 12               // to the database, for each of what asks it
)

func newServe(con *console.Console, target *lifecycle.Target) *cobra.Command {
	s := &serve{con: con, place: place{target: target}}
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve Core over HTTP to nodes that hold no password of the database",
		Long: `Serve Core over HTTP to nodes that hold neither the password of the database nor the keys of the object store: agents run as their node's user,
and could read both. A node is given the address with --core https://HOST:PORT, and a token of its own, which ringmaster core admit makes, with
--core-token-file. Any number of servers may stand in front of one database; none keeps anything. What logs are done with they move into the object store.

The first SIGTERM or SIGINT lets calls that are under way finish, for 10 s. SIGHUP has the files of --tls-cert and --tls-key be read again.
GET /healthz says whether the database answers, and GET /metrics, for whoever has the token of --metrics-token-file, how much is asked.
The log goes to standard error as JSON.`,
		Args: console.Args(0, 0),
		Example: `  ringmaster core serve --core postgres://ringmaster@localhost/ringmaster --core-password-file ~/.core-password
  ringmaster core serve --listen 10.0.0.5:7434 --allow-remote --tls-cert core.pem --tls-key core.key --allow-host core.example.org:7434`,
		Annotations: map[string]string{console.OwnSignals: ""},
		RunE:        func(cmd *cobra.Command, _ []string) error { return s.run(cmd.Context()) },
	}
	s.addTo(cmd)
	f := cmd.Flags()
	f.StringVar(&s.listen.Address, "listen", serveAt, "HOST:PORT for HTTP; port 0 takes a free one")
	f.BoolVar(&s.listen.AllowRemote, "allow-remote", false, "let --listen name an address that other machines reach; needs TLS")
	f.StringVar(&s.certFile, "tls-cert", "", "file with the TLS certificate chain (PEM)")
	f.StringVar(&s.keyFile, "tls-key", "", "file with the TLS key (PEM)")
	f.BoolVar(&s.listen.Cleartext, "dangerously-without-tls", false, "with --allow-remote: tokens and logs cross the network in the clear")
	f.StringArrayVar(&s.hosts, "allow-host", nil, "further host name that nodes may use, with its port; may be repeated")
	f.StringVar(&s.metricsFile, "metrics-token-file", "",
		"file with the token for GET /metrics, which only its owner may read; without it there are no metrics")
	_ = cmd.MarkFlagFilename("metrics-token-file")
	_ = cmd.MarkFlagFilename("tls-cert", "pem", "crt")
	_ = cmd.MarkFlagFilename("tls-key", "pem", "key")
	return cmd
}

func (s *serve) run(ctx context.Context) error {
	at, err := s.database("core serve")
	if err != nil {
		return err
	}
	if s.listen.Certificate, err = settings.Certificate(s.certFile, s.keyFile); err != nil {
		return err
	}
	log := settings.Log(s.con.Err)
	use := new(postgres.Use)
	options := postgres.Options{Password: at.Password, Connections: connections, Use: use}
	doors, shut := coreapi.Through(func(ctx context.Context) (core.Doors, error) { return postgres.OpenDoors(ctx, at.URL, options) })
	defer shut()
	cfg := coreapi.Config{Doors: doors, Hosts: s.hosts, Build: s.con.Version, Log: log}
	cfg.Database = func() coreapi.Connections { return coreapi.Connections(use.Now()) }
	if s.metricsFile != "" {
		if cfg.MetricsToken, err = settings.MetricsToken(s.metricsFile); err != nil {
			return err
		}
	}
	cfg.Connect = func(ctx context.Context) (core.Core, error) { return postgres.Open(ctx, at.URL, options) }
	if at.Objects.IsSet() {
		direct := cfg.Connect
		cfg.Objects = at.Objects.Open
		cfg.Connect = func(ctx context.Context) (core.Core, error) {
			c, err := direct(ctx)
			if err != nil {
				return nil, err
			}
			return cold.Join(c, at.Objects.Open), nil
		}
	}
	var mover atomic.Pointer[cold.Mover]
	if at.Objects.IsSet() {
		cfg.Moves = func() bool {
			m := mover.Load()
			if m == nil { // it has not begun
				return true
			}
			works, _ := m.Stands()
			return works
		}
	}
	server := coreapi.New(cfg)
	if err := ready(server, log); err != nil {
		return errors.Join(told(err), server.Close(ctx))
	}
	return s.until(ctx, server, at, &mover, log)
}

// await returns when the server is to end: with the error of a listener that failed. As a daemon does, it takes SIGHUP for the end of its terminal, and reads
// the certificate again where it has none.
func (s *serve) await(ctx context.Context, failed <-chan error, certificate *atomic.Pointer[tls.Certificate], log *zap.Logger) error {
	hangup := make(chan os.Signal, 1)
	signal.Notify(hangup, syscall.SIGHUP)
	defer signal.Stop(hangup)
	_, interactive := console.Terminal(s.con.Err)
	for {
		select {
		case which := <-s.con.Signals.C:
			log.Info("ending", zap.Stringer("signal", which))
			return nil
		case which := <-hangup:
			if interactive {
				log.Info("ending", zap.Stringer("signal", which))
				return nil
			}
			s.reread(certificate, log)
		case <-ctx.Done():
			return nil
		case err := <-failed:
			log.Error("listener failed", zap.Error(err))
			return err
		}
	}
}

// reread has connections that are made from now on get the certificate that is in the files now. One that is not right changes nothing.
func (s *serve) reread(certificate *atomic.Pointer[tls.Certificate], log *zap.Logger) {
	fresh, err := settings.Certificate(s.certFile, s.keyFile)
	switch {
	case err != nil:
		log.Error("certificate refused; the one before stays", zap.Error(err))
	case fresh == nil:
		log.Info("there is no certificate to read again")
	default:
		certificate.Store(fresh)
		log.Info("certificate read again", zap.Time("notAfter", fresh.Leaf.NotAfter))
	}
}

// ready refuses to serve what has to be mended first. A database that is away is waited for.
func ready(server *coreapi.Server, log *zap.Logger) error {
	err := server.Try()
	var away *core.AwayError
	if errors.As(err, &away) {
		log.Warn("the database does not answer yet; nodes are told that Core is away", zap.Error(err))
		return nil
	}
	return err
}

// until serves until a signal, or until it fails.
func (s *serve) until(
	ctx context.Context, server *coreapi.Server, at daemon.Core, mover *atomic.Pointer[cold.Mover], log *zap.Logger,
) error {
	var certificate atomic.Pointer[tls.Certificate]
	l, address, err := s.listen.Open(&certificate)
	if err != nil {
		return errors.Join(err, server.Close(ctx))
	}
	if at.Objects.IsSet() {
		m := cold.Begin(cold.Config{Connect: at.Open, Open: at.Objects.Open, Log: log})
		defer m.Close()
		mover.Store(m)
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(l) }() // ends with Close
	log.Info("Core is served", zap.String("http", address), zap.Bool("objects", at.Objects.IsSet()), zap.String("version", s.con.Version))
	if _, tty := console.Terminal(s.con.Out); tty {
		_, _ = fmt.Fprintf(s.con.Out, "Core is served at %s\n  next    ringmaster core admit NAME\n", address)
	}
	if err = s.await(ctx, failed, &certificate, log); err != nil {
		return errors.Join(err, server.Close(ctx))
	}
	within, cancel := context.WithTimeout(context.WithoutCancel(ctx), serveEnd)
	defer cancel()
	err = errors.Join(server.Close(within), <-failed)
	log.Info("Core is served no more")
	return err
}
