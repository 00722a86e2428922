package pgtest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/ringmaster-agents/ringmaster/actors/core/postgres/server"
)

// Replica is a server that follows another one, and can take its place. Its methods are for one goroutine.
type Replica struct{ of, at *Server }

// Follow makes a replica of a server that runs, and returns when it has all of it. waits: the server answers no commit from then on that the replica does not
// have on its disk.
func (s *Server) Follow(ctx context.Context, waits bool) (*Replica, error) {
	if err := s.copies(ctx, ""); err != nil { // else it would wait for the one before, and for ever
		return nil, err
	}
	folder, err := os.MkdirTemp("", "pg")
	if err != nil {
		return nil, err
	}
	r := &Replica{s, &Server{programs: s.programs, folder: folder}}
	if err := r.begin(ctx, waits); err != nil {
		r.Stop()
		return nil, err
	}
	return r, nil
}

func (r *Replica) begin(ctx context.Context, waits bool) error {
	if err := handOver(r.at.folder); err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, r.of.programs.Path("pg_basebackup"),
		"-D", r.at.data(), "-d", r.of.URL("postgres"), "--write-recovery-conf", "--wal-method=stream", "--checkpoint=fast", "--no-sync")
	cmd.Dir, cmd.SysProcAttr = r.at.folder, server.As()
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("pg_basebackup: %w: %s", err, out)
	}
	if err := r.at.Restart(); err != nil {
		return err
	}
	state := "streaming"
	if waits {
		if err := r.of.copies(ctx, "*"); err != nil {
			return err
		}
		state = "sync"
	}
	return r.of.until(ctx, `SELECT EXISTS (SELECT FROM pg_stat_replication WHERE state = 'streaming' AND $1 IN (state, sync_state))`, state)
}

// copies sets which replicas a commit waits for; empty: for none.
func (s *Server) copies(ctx context.Context, names string) error {
	conn, err := pgx.Connect(ctx, s.URL("postgres"))
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }() // nothing is lost
	_, err = conn.Exec(ctx, "ALTER SYSTEM SET synchronous_standby_names = '"+names+"'")
	if err == nil {
		_, err = conn.Exec(ctx, "SELECT pg_reload_conf()")
	}
	return err
}

// until asks a question until the answer is yes.
func (s *Server) until(ctx context.Context, question string, arguments ...any) error {
	conn, err := pgx.Connect(ctx, s.URL("postgres"))
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }() // nothing is lost
	for {
		var is bool
		if err := conn.QueryRow(ctx, question, arguments...).Scan(&is); err != nil || is {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// Lag cuts the replica off: it learns of nothing any more, and no commit waits for it.
func (r *Replica) Lag(ctx context.Context) error {
	return errors.Join(r.of.copies(ctx, ""), r.at.Crash())
}

// Promote kills the server, and has the replica take its place, at its address. What the replica has not heard of is gone for ever.
func (r *Replica) Promote(ctx context.Context) error {
	defer r.Stop()
	err := r.of.Crash()
	if r.at.run != nil {
		err = errors.Join(err, r.at.Crash())
	}
	if err == nil {
		err = os.RemoveAll(r.of.data())
	}
	if err == nil {
		err = os.Rename(r.at.data(), r.of.data())
	}
	if err == nil {
		err = os.Truncate(filepath.Join(r.of.data(), "postgresql.auto.conf"), 0) // whom it has followed
	}
	if err == nil {
		err = os.Remove(filepath.Join(r.of.data(), "standby.signal"))
	}
	if err == nil {
		err = r.of.Restart()
	}
	if err == nil {
		err = r.of.until(ctx, "SELECT NOT pg_is_in_recovery()")
	}
	return err
}

// Stop ends the replica and removes what it has.
func (r *Replica) Stop() { r.at.Stop() }
