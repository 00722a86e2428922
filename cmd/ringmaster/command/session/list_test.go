package session

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/console"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/lifecycle"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// serveSessions is a daemon that has these sessions, newest first.
func serveSessions(t *testing.T, list []resource.SessionSummary) string {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		page := resource.SessionPage{Total: len(list)}
		states := r.URL.Query()["state"]
		for _, s := range list {
			if len(states) == 0 || strings.Contains(strings.Join(states, " "), string(s.Status.State)) {
				page.Sessions = append(page.Sessions, s)
			}
		}
		_ = json.NewEncoder(w).Encode(page)
	}))
	t.Cleanup(srv.Close)
	return srv.URL
}

func family() []resource.SessionSummary {
	ids := [...]string{
		"00000000-0000-4000-8000-000000000000", "10000000-0000-4000-8000-000000000000", "20000000-0000-4000-8000-000000000000",
		"30000000-0000-4000-8000-000000000000", "40000000-0000-4000-8000-000000000000",
	}
	s := func(n int, parent string, state protocol.State) resource.SessionSummary {
		return resource.SessionSummary{
			ID: ids[n], Agent: "pi", Cwd: "/work", ParentSessionID: parent, CreatedAt: time.Unix(int64(1000-n), 0),
			Status: protocol.Status{State: state}, FirstPrompt: "tidy up the " + ids[n][:1],
		}
	}
	list := []resource.SessionSummary{
		s(0, ids[3], protocol.StateIdle), s(1, "", protocol.StateIdle), s(2, ids[0], protocol.StateAwaitingApproval), s(3, "", protocol.StateResponding),
		s(4, "", protocol.StateIdle),
	}
	list[0].Spawned, list[2].SubAgent = true, true
	list[4].Title = "a title"
	list[1].Owner = "robot"
	return list
}

// What waits for somebody stands first, with its whole family, and a child below its parent.
func TestListShowsFamilies(t *testing.T) {
	var out strings.Builder
	con := &console.Console{Out: &out, Err: io.Discard, Now: time.Now}
	cmd := List(con, &lifecycle.Target{Console: con, Data: t.TempDir(), Address: serveSessions(t, family())})
	cmd.SetArgs([]string{})
	if err := cmd.ExecuteContext(t.Context()); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, l := range strings.Split(strings.TrimRight(out.String(), "\n"), "\n")[1:] {
		got = append(got, l[:15]+"|"+l[strings.LastIndex(l, "  ")+2:])
	}
	want := []string{
		"  30000000     |tidy up the 3",
		"    00000000   |tidy up the 0",
		"?     20000000 |tidy up the 2",
		"  10000000     |tidy up the 1",
		"  40000000     |a title",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s\nof\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"), out.String())
	}
}
