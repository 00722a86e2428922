package api

import (
	"context"
	"fmt"
	"iter"
	"net/http"
	"path/filepath"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/journal"
	"github.com/ringmaster-agents/ringmaster/actors/raw"
	"github.com/ringmaster-agents/ringmaster/supervisor"
	"github.com/ringmaster-agents/ringmaster/supervisor/archive"
)

// awayTree gives the native lines of its sessions as a node does that does not have them.
type awayTree struct {
	*tree
	store map[string][]string // records of each session
}

func (tr *awayTree) Raw(ctx context.Context, id string) (*supervisor.Raw, error) {
	if _, err := tr.Look(ctx, id); err != nil {
		return nil, err
	}
	r := archive.Away(journal.Spans(filepath.Join(tr.dir, id), journal.Options{}))
	records := tr.store[id]
	r.Before([]archive.Part{{Node: "a", First: 1, Last: uint64(len(records)), Epoch: 1, Longest: 100, Lines: func(uint64) iter.Seq2[raw.Line, raw.Gone] {
		return func(yield func(raw.Line, raw.Gone) bool) {
			for i, record := range records {
				if !yield(raw.ParseRecord(uint64(i)+1, []byte(record)), "") {
					return
				}
			}
		}
	}}}, func(uint64) uint64 { return 0 })
	return r, nil
}

// TestRawOfAnotherNode: what is read out of the object store is answered as the node did that had the session, but for a header that says so.
func TestRawOfAnotherNode(t *testing.T) {
	tr := &awayTree{tree: newTree(t), store: map[string][]string{}}
	here := serveTree(t, tr.tree)
	away := serveTree(t, tr.tree, func(c *Config) { c.Supervisor = tr })
	id := archived(here, raw.Options{})
	r, err := tr.tree.Raw(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	for l, err := range r.Lines() {
		if err != nil {
			t.Fatal(err)
		}
		tr.store[id] = append(tr.store[id], string(l.Record))
	}
	for _, query := range []string{"", "?dir=in", "?from=3", "?from=2&to=4"} {
		want := here.want(http.StatusOK, "GET", "/sessions/"+id+"/raw"+query, "")
		got := away.want(http.StatusOK, "GET", "/sessions/"+id+"/raw"+query, "")
		if string(got.body) != string(want.body) {
			t.Errorf("%s is\n%s\nwant\n%s", query, got.body, want.body)
		}
		if from := fmt.Sprint(want.Header.Get("X-Session-Source"), got.Header.Get("X-Session-Source")); from != "core" {
			t.Errorf("they are from %s", from)
		}
	}
}
