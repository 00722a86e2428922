// Package doorstest is the suite that every core.Doors must pass.
package doorstest

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/core"
)

// Place is an empty Core with its doors.
type Place struct {
	Core  core.Core
	Doors core.Doors
}

// Run holds doors against their contract. each makes an empty place, and closes it.
func Run(t *testing.T, each func(t *testing.T) Place) {
	t.Run("a credential is kept and found", func(t *testing.T) { kept(t, each(t)) })
	t.Run("whose a credential becomes", func(t *testing.T) { bound(t, each(t)) })
	t.Run("two that want one node", func(t *testing.T) { raced(t, each(t)) })
	t.Run("a call ends with its context", func(t *testing.T) { ended(t, each(t)) })
}

// admit keeps a new credential.
func admit(t *testing.T, p Place, name, node string) core.Credential {
	t.Helper()
	c, token := core.NewCredential(name, node)
	if sha256.Sum256([]byte(token)) != c.Sum {
		t.Fatal("the token is not the credential's")
	}
	for range 2 {
		if err := p.Doors.Admit(t.Context(), c); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// finds expects what there is of a credential.
func finds(t *testing.T, p Place, want core.Credential) {
	t.Helper()
	got, ok, err := p.Doors.Find(t.Context(), want.Sum)
	if err != nil || !ok || got.Made.IsZero() {
		t.Fatalf("found %+v, %v, %v", got, ok, err)
	}
	if got.Made = want.Made; got != want {
		t.Fatalf("found %+v, want %+v", got, want)
	}
}

func kept(t *testing.T, p Place) {
	if list, err := p.Doors.Credentials(t.Context()); err != nil || len(list) > 0 {
		t.Fatal(list, err)
	}
	if _, ok, err := p.Doors.Find(t.Context(), sha256.Sum256(nil)); ok || err != nil {
		t.Fatal(ok, err)
	}
	a, b := admit(t, p, "rack 1", ""), admit(t, p, "\x00\xff", "n")
	finds(t, p, a)
	finds(t, p, b)
	list, err := p.Doors.Credentials(t.Context())
	if err != nil || len(list) != 2 || !slices.IsSortedFunc(list, func(a, b core.Credential) int {
		if a.ID < b.ID {
			return -1
		}
		return 1
	}) {
		t.Fatal(list, err)
	}
	for _, want := range []bool{true, false} {
		if gone, err := p.Doors.Expel(t.Context(), a.ID); gone != want || err != nil {
			t.Fatal(gone, err)
		}
	}
	if _, ok, err := p.Doors.Find(t.Context(), a.Sum); ok || err != nil {
		t.Fatal("what was expelled is found", err)
	}
	finds(t, p, b)
}

func bound(t *testing.T, p Place) {
	old, err := p.Core.Join(t.Context(), "old")
	if err != nil {
		t.Fatal(err)
	}
	binds := func(c *core.Credential, node string, want bool) {
		t.Helper()
		if ok, err := p.Doors.Bind(t.Context(), c.ID, node); ok != want || err != nil {
			t.Fatalf("%s for %s: %v, %v", c.Name, node, ok, err)
		}
		if want {
			c.Node = node
		}
		finds(t, p, *c)
	}
	first, second := admit(t, p, "first", ""), admit(t, p, "second", "")
	binds(&first, old.Node, false) // which was there before
	binds(&first, "", false)
	binds(&first, "a", true)
	binds(&first, "a", true)
	binds(&first, "b", false)
	binds(&second, "a", false)
	binds(&second, "b", true)
	named, again := admit(t, p, "named", old.Node), admit(t, p, "again", "a") // as the operator says
	binds(&named, old.Node, true)
	binds(&named, "c", false)
	binds(&again, "a", true)
	if ok, err := p.Doors.Bind(t.Context(), "nobody", "c"); ok || err != nil {
		t.Fatal(ok, err)
	}
}

func raced(t *testing.T, p Place) {
	for n := range 10 {
		node := fmt.Sprintf("node %d", n)
		var list []core.Credential
		for range 6 {
			list = append(list, admit(t, p, node, ""))
		}
		var all sync.WaitGroup
		won := make([]bool, len(list))
		for i := range list {
			all.Go(func() {
				ok, err := p.Doors.Bind(t.Context(), list[i].ID, node)
				if won[i] = ok; err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if winners := slices.DeleteFunc(slices.Clone(won), func(w bool) bool { return !w }); len(winners) != 1 {
			t.Fatalf("%s is bound by %v", node, won)
		}
	}
}

func ended(t *testing.T, p Place) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	c, _ := core.NewCredential("", "")
	_, list := p.Doors.Credentials(ctx)
	_, _, find := p.Doors.Find(ctx, c.Sum)
	_, bind := p.Doors.Bind(ctx, c.ID, "a")
	_, expel := p.Doors.Expel(ctx, c.ID)
	for i, err := range []error{p.Doors.Admit(ctx, c), list, find, bind, expel} {
		if away := new(core.AwayError); !errors.As(err, &away) || !errors.Is(err, context.Canceled) {
			t.Errorf("call %d ends with %v", i, err)
		}
	}
}
