package session

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// A session is named by its id, by an unambiguous beginning of it, or as the last one.
func TestResolve(t *testing.T) {
	ids := []string{
		"3f2a0000-0000-4000-8000-000000000001",
		"3f2a1000-0000-4000-8000-000000000002",
		"9c1d0000-0000-4000-8000-00003f2a1000", // has another's beginning in its middle
	}
	var pages []string
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		pages = append(pages, q.Get("after"))
		page := resource.SessionPage{}
		for i, id := range ids { // one per page
			if strings.Contains(id, q.Get("q")) && id > q.Get("after") {
				page.Sessions = append(page.Sessions, resource.SessionSummary{ID: id})
				if i < len(ids)-1 {
					page.Next = id
				}
				break
			}
		}
		_ = json.NewEncoder(w).Encode(page)
	}))
	defer srv.Close()
	c, err := client.At(srv.URL, "")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for name, want := range map[string]string{
		ids[2]:     ids[2],
		"@last":    ids[0],
		"3f2a0":    ids[0],
		"3f2a1000": ids[1],
		"9c1d":     ids[2],
	} {
		if got, err := resolve(t.Context(), c, name); err != nil || got != want {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	for name, want := range map[string]string{
		"3f2a":    "several ids",
		"0000000": "session_not_found",
		"3f2":     "first 4 or more",
		"../etc":  "names no session",
		"":        "names no session",
		"@first":  "names no session",
	} {
		if got, err := resolve(t.Context(), c, name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %q, %v", name, got, err)
		}
	}
	if len(pages) < 8 {
		t.Errorf("only %d pages were asked for", len(pages))
	}
}

func TestLastIsAPersonsRoot(t *testing.T) {
	list := family()
	host := list[1] // with its user's own token
	host.ID, host.Owner, host.Via = "50000000-0000-4000-8000-000000000000", "", protocol.ViaMCP
	list = append([]resource.SessionSummary{host}, list...)
	c, err := client.At(serveSessions(t, list), "")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if id, err := resolve(t.Context(), c, lastSession); err != nil || id != list[4].ID {
		t.Errorf("@last is %s, %v; want the newest that a person made, %s", id, err, list[4].ID)
	}
}
