package node

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/console"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/exit"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// TestDrainThatIsTakenBack: who drains a node and goes on to end it is not told that all sessions have gone, where somebody has it take sessions again meanwhile.
func TestDrainThatIsTakenBack(t *testing.T) {
	for end, want := range map[resource.NodeState]string{resource.NodeUp: "take sessions again", resource.NodeDraining: ""} {
		t.Run(string(end), func(t *testing.T) {
			looks := 0
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				n := resource.NodeInfo{ID: "a", Here: true, State: resource.NodeDraining, Leaving: 2}
				var answer any = n
				if r.Method == http.MethodGet {
					if looks++; looks > 1 {
						n.State, n.Leaving = end, 0
					}
					answer = resource.NodeList{Nodes: []resource.NodeInfo{n}}
				}
				w.Header().Set("Content-Type", "application/json")
				_ = json.NewEncoder(w).Encode(answer) // whoever asks sees what is missing
			}))
			defer server.Close()
			c, err := client.At(server.URL, "token")
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			err = drain(t.Context(), &console.Console{Out: io.Discard, Err: io.Discard}, c, 0)
			if (err == nil) != (want == "") || err != nil && (!strings.Contains(err.Error(), want) || exit.Hint(err) == "") {
				t.Errorf("%v, want %q", err, want)
			}
		})
	}
}
