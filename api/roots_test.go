package api

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// TestRootsAreAddedOverTheSocket by whoever may do everything, and by nobody over TCP. What cannot be noted is no success.
// Proves: I10.2/roots
func TestRootsAreAddedOverTheSocket(t *testing.T) {
	var noted error
	tokens := access.NewTokens()
	tr := newTree(t)
	client := overSocket(t, Config{Supervisor: tr, Token: testToken, Tokens: tokens, RootAdded: func(context.Context) error { return noted }})
	_, secret, err := tokens.Create(access.Token{Name: "ann", Scope: access.Owner, Owner: "ann"})
	if err != nil {
		t.Fatal(err)
	}
	add := func(path, bearer string) (int, string) {
		r, err := http.NewRequest("POST", "http://localhost/roots", strings.NewReader(`{"path":"`+path+`"}`))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		if bearer != "" {
			r.Header.Set("Authorization", "Bearer "+bearer)
		}
		res, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		body, err := io.ReadAll(res.Body)
		if err != nil {
			t.Fatal(err)
		}
		return res.StatusCode, string(body)
	}
	for _, row := range []struct {
		path, bearer string
		want         int
	}{{"/a", "", 200}, {"/b", testToken, 200}, {"/c", secret, 403}, {"/d", "wrong", 401}} {
		if status, body := add(row.path, row.bearer); status != row.want {
			t.Errorf("%s: %d, %s", row.path, status, body)
		}
	}
	if want := []string{"/work", "/a", "/b"}; !slices.Equal(tr.roots, want) {
		t.Errorf("%v, want %v", tr.roots, want)
	}
	noted = errors.New("the disk is full")
	if status, body := add("/e", ""); status != http.StatusInternalServerError {
		t.Errorf("%d, %s", status, body)
	}
	h := newHarness(t)
	if p := h.refused(http.StatusForbidden, protocol.CodeForbidden, "POST", "/roots", `{"path":"/a"}`); !strings.Contains(p.Hint, "socket") {
		t.Errorf("%+v", p)
	}
	var list resource.RootList
	if h.want(http.StatusOK, "GET", "/roots", "").into(t, &list); !slices.Equal(list.Roots, []string{"/work"}) {
		t.Errorf("%v", list.Roots)
	}
}
