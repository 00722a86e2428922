package core

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/core/cold"
	"github.com/ringmaster-agents/ringmaster/actors/journal"
	"github.com/ringmaster-agents/ringmaster/actors/raw"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/console"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/exit"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/lifecycle"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor/folder"
	"github.com/ringmaster-agents/ringmaster/supervisor/natives"
)

// verify is the command core verify.
type verify struct {
	con *console.Console
	place
	asJSON bool
}

func newVerify(con *console.Console, target *lifecycle.Target) *cobra.Command {
	v := &verify{con: con, place: place{target: target}}
	cmd := &cobra.Command{
		Use:   "verify [SESSION…]",
		Short: "Compare what Core has of this machine's logs with the journals, byte by byte",
		Long: `Compare what Core has of this machine's logs with the journals, byte by byte: of all sessions in the data folder, or of those that are named by
their whole ids. What Core has in the object store is read there, native lines and pictures of prompts among it, and held against its digest.
A daemon may be at work meanwhile. The exit code is 1 where any differs, or cannot be compared; what Core does not have yet is told, and is no
difference.`,
		Args: cobra.ArbitraryArgs,
		Example: `  ringmaster core verify
  ringmaster core verify --json | jq -c 'select(.differs)'`,
		RunE: func(cmd *cobra.Command, args []string) error { return v.run(cmd.Context(), args) },
	}
	v.addTo(cmd)
	cmd.Flags().BoolVar(&v.asJSON, "json", false, "one JSON object for each session")
	return cmd
}

// finding is what is told of one session.
type finding struct {
	Session  string `json:"session"`
	Known    bool   `json:"known"`              // Core has it
	Events   uint64 `json:"events"`             // that were compared
	Bytes    int64  `json:"bytes"`              // of their lines
	Behind   uint64 `json:"behind,omitempty"`   // events that Core does not have yet
	Natives  uint64 `json:"natives,omitempty"`  // native lines in the object store, which were read
	Pictures int    `json:"pictures,omitempty"` // of prompts, likewise
	Differs  string `json:"differs,omitempty"`
	Error    string `json:"error,omitempty"` // why it could not be compared
}

// sums are those of all sessions.
type sums struct {
	sessions, equal, behind, missing, bad int
	events, natives                       uint64
	bytes                                 int64
	pictures                              int
}

func (s *sums) add(f *finding) {
	s.sessions++
	s.events += f.Events
	s.natives += f.Natives
	s.pictures += f.Pictures
	s.bytes += f.Bytes
	switch {
	case f.Differs != "" || f.Error != "":
		s.bad++
	case !f.Known:
		s.missing++
	case f.Behind > 0:
		s.behind++
	default:
		s.equal++
	}
}

func (v *verify) run(ctx context.Context, ids []string) error {
	at, err := v.core()
	if err != nil {
		return err
	}
	data, err := v.target.Local("core verify")
	if err != nil {
		return err
	}
	for _, id := range ids {
		if !protocol.ValidSessionID(id) {
			return exit.Usagef("%q is no id of a session: name sessions by their whole ids", id)
		}
	}
	if len(ids) == 0 {
		if ids, err = sessionsIn(data.Sessions()); err != nil {
			return err
		}
	}
	c, err := at.Join(ctx)
	if err != nil {
		return told(err)
	}
	defer c.Close()
	of := folder.Data{Root: data.Path}
	node, err := os.ReadFile(filepath.Join(data.Path, "instance"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) { // a folder without has no sessions
		return err
	}
	logs := journal.In(func(id string) string { return filepath.Join(data.Sessions(), id) }, journal.Options{})
	var all sums
	for _, id := range ids {
		f := finding{Session: id}
		err := f.compare(ctx, c, logs)
		if err == nil && f.Differs == "" && f.Error == "" {
			err = f.archive(ctx, c, strings.TrimSpace(string(node)), of.Raw(id))
		}
		if err == nil && f.Differs == "" && f.Error == "" {
			err = f.pictures(ctx, c)
		}
		if err != nil {
			return told(err)
		}
		all.add(&f)
		if err := v.print(&f); err != nil {
			return err
		}
	}
	return v.end(&all)
}

// compare fills the finding. An error is one of Core's, which ends the command.
func (f *finding) compare(ctx context.Context, c core.Reader, logs *journal.Store) error {
	got, err := core.Verify(ctx, c, f.Session, func() (store.Log, error) { return logs.Look(f.Session) })
	var away *core.AwayError
	var access *core.AccessError
	var without *core.ColdError
	switch {
	case errors.As(err, &away), errors.As(err, &access), errors.As(err, &without), ctx.Err() != nil:
		return err
	case err != nil:
		f.Error = err.Error()
	}
	f.Known, f.Events, f.Bytes, f.Behind, f.Differs = got.Known, got.Events, got.Bytes, got.Behind, got.Differs
	return nil
}

// archive adds what there is to tell of native lines. An error is one of Core's, which ends the command.
func (f *finding) archive(ctx context.Context, c core.Core, node, dir string) error {
	got, err := natives.Verify(ctx, c, f.Session, node, dir, nil)
	var unread *raw.Error
	if errors.As(err, &unread) {
		f.Error, err = err.Error(), nil
	}
	f.Natives, f.Differs = got.Read, got.Differs
	return err
}

// pictures reads those of a session's prompts that the object store has. An error is one of Core's, which ends the command.
func (f *finding) pictures(ctx context.Context, c core.Core) error {
	from, ok := c.(cold.Pictures)
	if !ok { // no store is named
		return nil
	}
	list, err := c.Pictures(ctx, f.Session)
	if err != nil {
		return err
	}
	for i := range list {
		_, ok, err := from.Picture(ctx, f.Session, list[i].Digest)
		var damage *store.DamageError
		switch {
		case errors.As(err, &damage):
			f.Differs = fmt.Sprintf("a picture of a prompt, object %s: %s", damage.File, damage.Problem)
			return nil
		case err != nil:
			return err
		case ok: // else it was removed meanwhile
			f.Pictures++
		}
	}
	return nil
}

func (v *verify) print(f *finding) error {
	if v.asJSON {
		return json.NewEncoder(v.con.Out).Encode(f)
	}
	var err error
	switch {
	case f.Differs != "":
		_, err = fmt.Fprintf(v.con.Out, "%s  differs: %s\n", f.Session, f.Differs)
	case f.Error != "":
		_, err = fmt.Fprintf(v.con.Out, "%s  cannot be compared: %s\n", f.Session, console.EscapeControls(f.Error))
	case !f.Known:
		_, err = fmt.Fprintf(v.con.Out, "%s  Core does not have it yet (%d events)\n", f.Session, f.Behind)
	case f.Behind > 0:
		_, err = fmt.Fprintf(v.con.Out, "%s  equal so far; Core is %d events behind\n", f.Session, f.Behind)
	}
	return err
}

func (v *verify) end(s *sums) error {
	if !v.asJSON {
		const text = "%d sessions: %d equal, %d behind, %d not in Core, %d differ or cannot be compared; " +
			"%d events, %d bytes compared; %d native lines and %d pictures read\n"
		if _, err := fmt.Fprintf(v.con.Out, text,
			s.sessions, s.equal, s.behind, s.missing, s.bad, s.events, s.bytes, s.natives, s.pictures); err != nil {
			return err
		}
	}
	if s.bad > 0 {
		return &exit.Error{Code: exit.Failed}
	}
	return nil
}

// sessionsIn names the sessions of a data folder.
func sessionsIn(dir string) (ids []string, err error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, e := range entries {
		if e.IsDir() && protocol.ValidSessionID(e.Name()) {
			ids = append(ids, e.Name())
		}
	}
	slices.SortFunc(ids, strings.Compare)
	return ids, err
}
