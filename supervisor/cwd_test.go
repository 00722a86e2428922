package supervisor_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// TestFolderAtEveryStart: a folder that was swapped for a link, that lies outside the next daemon's roots, or that is gone takes no prompt, and no
// agent is started in it, also not for what waits; the session stays, and goes on with all of it once the folder is as it was.
func TestFolderAtEveryStart(t *testing.T) {
	for name, c := range map[string]struct {
		spoil, mend func(d *daemon, folder string) error
		want        protocol.Code
	}{
		"a link to another folder": {
			func(_ *daemon, folder string) error {
				return first(os.Rename(folder, folder+".away"), os.Symlink("/etc", folder))
			},
			func(_ *daemon, folder string) error {
				return first(os.Remove(folder), os.Rename(folder+".away", folder))
			},
			protocol.CodeCwdNotAllowed,
		},
		"a link inside the roots": {
			func(_ *daemon, folder string) error {
				return first(os.Rename(folder, folder+".away"), os.Symlink(folder+".away", folder))
			},
			func(_ *daemon, folder string) error {
				return first(os.Remove(folder), os.Rename(folder+".away", folder))
			},
			protocol.CodeCwdNotAllowed,
		},
		"a root that is taken away": {
			func(d *daemon, _ string) error { d.cfg.Roots = d.cfg.Roots[:1]; return nil },
			func(d *daemon, folder string) error {
				_, err := d.AddRoot(d.t.Context(), filepath.Dir(folder))
				return err
			},
			protocol.CodeCwdNotAllowed,
		},
		"gone": {
			func(_ *daemon, folder string) error { return os.Rename(folder, folder+".away") },
			func(_ *daemon, folder string) error { return os.Rename(folder+".away", folder) },
			protocol.CodeInvalidRequest,
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				folder := filepath.Join(t.TempDir(), "folder")
				if err := os.Mkdir(folder, 0o700); err != nil {
					t.Fatal(err)
				}
				d := start(t, t.TempDir(), func(c *supervisor.Config) { c.Roots = append(c.Roots, filepath.Dir(folder)) })
				s, err := d.Create(t.Context(), supervisor.NewSession{Agent: "scripted", Cwd: folder})
				if err != nil {
					t.Fatal(err)
				}
				if err := d.CheckFolder(t.Context(), s.ID); err != nil {
					t.Fatal(err)
				}
				d.prompt(s.ID, "One.")
				began := d.until(s.ID, 0, protocol.TypeTurnEnd)
				d.close()
				if err := c.spoil(d, folder); err != nil {
					t.Fatal(err)
				}
				d.start()
				defer func() { d.close() }()
				if err := d.CheckFolder(t.Context(), s.ID); code(err) != c.want {
					t.Errorf("a prompt would be answered %v", err)
				}
				d.prompt(s.ID, "Two.")                                                                                                      // of somebody who asked before the folder was spoiled
				time.Sleep(time.Hour)                                                                                                       // of the bubble
				if strings.Count(d.file(s.ID), `"type":"turn_start"`) != 1 || strings.Count(d.file(s.ID), "agent was not started: ") != 2 { // one entry, its start and its end
					t.Errorf("in the log:\n%s", d.file(s.ID))
				}
				if err := c.mend(d, folder); err != nil {
					t.Fatal(err)
				}
				if err := d.CheckFolder(t.Context(), s.ID); err != nil {
					t.Errorf("as it was: %v", err)
				}
				d.prompt(s.ID, "Three.")
				d.until(s.ID, d.until(s.ID, began, protocol.TypeTurnEnd), protocol.TypeTurnEnd)
				d.sound(s.ID)
			})
		})
	}
}

func first(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// TestWaitsForItsRoot: what waits for an agent that no daemon has started yet goes on when its folder is a root again: at once where the session
// is in memory, and where it was put away meanwhile.
func TestWaitsForItsRoot(t *testing.T) {
	for name, away := range map[string]time.Duration{"at once": time.Second, "put away meanwhile": time.Hour} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				folder := t.TempDir()
				d := start(t, t.TempDir(), func(c *supervisor.Config) { c.Roots = append(c.Roots, folder) })
				works := d.cfg.Transport
				d.close()
				d.cfg.Transport = never{}
				d.start()
				s, err := d.Create(t.Context(), supervisor.NewSession{Agent: "scripted", Cwd: folder})
				if err != nil {
					t.Fatal(err)
				}
				d.prompt(s.ID, "One.")
				d.close()
				d.cfg.Transport, d.cfg.Roots = works, d.cfg.Roots[:1]
				d.start()
				defer func() { d.close() }()
				time.Sleep(time.Second) // of the bubble
				d.prompt(s.ID, "Two.")  // of somebody who asked while the folder was a root
				time.Sleep(away)        // of the bubble
				if log := d.file(s.ID); strings.Contains(log, `"type":"session_end"`) || strings.Contains(log, `"type":"turn_start"`) {
					t.Fatalf("in the log:\n%s", log)
				}
				if _, err := d.AddRoot(t.Context(), folder); err != nil {
					t.Fatal(err)
				}
				d.until(s.ID, 0, protocol.TypeTurnEnd)
			})
		})
	}
}

// never is a machine on which no program comes up.
type never struct{}

func (never) Start(ctx context.Context, _ adapters.Launch) (adapters.Conn, error) {
	<-ctx.Done()
	return nil, context.Cause(ctx)
}
