package postgres_test

import (
	"os"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/core/postgres"
	"github.com/ringmaster-agents/ringmaster/actors/core/postgres/pgtest"
)

// TestPlacementOfOldRows migrates a database that the first version has filled. Its nodes do not beat, and are never declared dead; its sessions stay.
func TestPlacementOfOldRows(t *testing.T) {
	url := pgtest.Database(t)
	const old = "'0199a7a0-0000-7000-8000-000000000001'"
	pgtest.Exec(t, url,
		`CREATE TABLE ringmaster_schema (version integer PRIMARY KEY, at timestamptz NOT NULL DEFAULT clock_timestamp(), build text NOT NULL)`,
		`INSERT INTO ringmaster_schema (version, build) VALUES (0, 'old'), (1, 'old')`,
		string(must(os.ReadFile("migrations/0001_sessions.sql"))),
		`INSERT INTO node (id, incarnation, joined) VALUES ('old', 7, '2020-01-01')`,
		`INSERT INTO session_log (id, node, incarnation, lease, epoch, began, head, oldest)
  VALUES (`+old+`, 'old', 7, gen_random_uuid(), 3, 2, 5, 1)`,
		`INSERT INTO session (id, root, agent, owner, state, workspace, created, updated, labels, told)
  VALUES (`+old+`, `+old+`, 'pi', '', 'idle', 'node:old', now(), now(), '{}', '')`,
		`INSERT INTO session_epoch (session_id, epoch, first_seq, lease, node, reason) SELECT id, 3, 2, lease, node, 'appended' FROM session_log`)
	if from, to, err := postgres.Migrate(t.Context(), url, postgres.Options{}); from != 1 || to != postgres.Version || err != nil {
		t.Fatalf("migrated from %d to %d, %v", from, to, err)
	}
	c := open(t.Context(), t, url)
	me := must(c.Join(t.Context(), "new"))
	beat := core.Beat{Lease: time.Hour}
	must(c.Beat(t.Context(), me, beat))
	turn := pgtest.Turning(t, url)
	for range 3 {
		turn(50 * time.Minute)
		must(c.Beat(t.Context(), me, beat))
	}
	if dead := must(c.Declare(t.Context(), me)); len(dead) > 0 {
		t.Errorf("%v were declared dead", dead)
	}
	nodes := must(c.Nodes(t.Context(), true))
	was := core.Owner{Node: "old", Incarnation: 7}
	if len(nodes) != 2 || nodes[1].Owner != was || nodes[1].State != core.StateUp || nodes[1].Beats || nodes[1].Has != 1 {
		t.Errorf("the nodes are %+v", nodes)
	}
	if got := must(c.Claim(t.Context(), me, core.Want{Sessions: []string{id}, Revive: true})); len(got.Others) != 1 || got.Others[0].Why != core.WhyHeld {
		t.Errorf("claimed %+v", got)
	}
	if is := must(c.Forget(t.Context(), "old")); is != core.StateLeft {
		t.Errorf("it is %s", is)
	}
	if got := must(c.Claim(t.Context(), me, core.Want{})); len(got.Taken) > 0 {
		t.Errorf("claimed %+v", got)
	}
	got := must(c.Claim(t.Context(), me, core.Want{Sessions: []string{id}, Revive: true}))
	if len(got.Taken) != 1 || got.Taken[0].At.Head != 5 || got.Taken[0].At.Epoch <= 3 || got.Taken[0].Had != was ||
		got.Taken[0].Record.Failover != core.FailoverStay {
		t.Errorf("claimed %+v", got)
	}
}

// TestNobodyIsDeadBehindACrash kills the database, so that it is away for longer than all leases are.
func TestNobodyIsDeadBehindACrash(t *testing.T) {
	server := pgtest.Private(t)
	url := server.URL("postgres")
	if _, _, err := postgres.Migrate(t.Context(), url, postgres.Options{}); err != nil {
		t.Fatal(err)
	}
	c := open(t.Context(), t, url)
	beat := core.Beat{Lease: time.Hour}
	var nodes []core.Owner
	for _, name := range []string{"a", "b", "c"} {
		nodes = append(nodes, must(c.Join(t.Context(), name)))
		must(c.Beat(t.Context(), nodes[len(nodes)-1], beat))
	}
	turn := pgtest.Turning(t, url)
	for range 2 { // they are steady for long
		turn(50 * time.Minute)
		for _, as := range nodes {
			must(c.Beat(t.Context(), as, beat))
		}
	}
	beat.Lease = time.Millisecond
	for _, as := range nodes {
		must(c.Beat(t.Context(), as, beat))
	}
	if err := server.Crash(); err != nil {
		t.Fatal(err)
	}
	if err := server.Restart(); err != nil {
		t.Fatal(err)
	}
	c = opened(t, url, postgres.Options{})
	t.Cleanup(c.Close)
	beat.Lease = time.Hour
	for _, as := range nodes {
		if dead := must(c.Declare(t.Context(), as)); len(dead) > 0 {
			t.Errorf("%+v declared %+v", as, dead)
		}
		if is := must(c.Beat(t.Context(), as, beat)); is != core.StateUp {
			t.Errorf("%+v is %s", as, is)
		}
		if dead := must(c.Declare(t.Context(), as)); len(dead) > 0 {
			t.Errorf("%+v declared %+v", as, dead)
		}
	}
}

// TestClaimOfAFamilyInWork: where somebody is at the first session of a family, as another claim may be, nothing of the family is claimed, and nobody waits.
func TestClaimOfAFamilyInWork(t *testing.T) {
	url := migrated(t)
	c := open(t.Context(), t, url)
	me := must(c.Join(t.Context(), "a"))
	must(c.Beat(t.Context(), me, core.Beat{Lease: time.Hour}))
	const second, alone = "0199a7a0-0000-7000-8000-000000000002", "0199a7a0-0000-7000-8000-000000000003"
	at := must(c.Take(t.Context(), me, []core.Record{{Session: id, Root: id}, {Session: second, Root: id}, {Session: alone, Root: alone}}))
	var handed []core.Handed
	for _, p := range at {
		handed = append(handed, core.Handed{Session: p.Session, Lease: p.Lease})
	}
	must(c.Release(t.Context(), me, handed))
	conn := must(pgx.Connect(t.Context(), url))
	defer func() { _ = conn.Close(t.Context()) }()
	tx := must(conn.Begin(t.Context()))
	must(tx.Exec(t.Context(), "SELECT FROM session_log WHERE id = $1 FOR NO KEY UPDATE", id))
	got := must(c.Claim(t.Context(), me, core.Want{Sessions: []string{second, id}}))
	if len(got.Taken) > 0 || len(got.Others) != 2 || got.Others[0].Why != core.WhyBusy || got.Others[1].Why != core.WhyBusy {
		t.Errorf("claimed %+v", got)
	}
	if got := must(c.Claim(t.Context(), me, core.Want{Families: 2})); len(got.Taken) != 1 || got.Taken[0].At.Session != alone {
		t.Errorf("claimed %+v", got)
	}
	if err := tx.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := must(c.Claim(t.Context(), me, core.Want{Families: 2})); len(got.Taken) != 2 {
		t.Errorf("claimed %+v", got)
	}
}
