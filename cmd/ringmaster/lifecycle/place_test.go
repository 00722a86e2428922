package lifecycle

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/datafolder"
)

// A token file that is named has to be there; the folder's own need not, and the socket goes before the URL.
func TestPlaceFind(t *testing.T) {
	f := datafolder.Folder{Path: filepath.Join(t.TempDir(), "data")}
	if err := f.Create(); err != nil {
		t.Fatal(err)
	}
	var gone *client.Unreachable
	named := filepath.Join(f.Path, "none")
	if _, err := (Place{Folder: f, TokenFile: named}).Find(); !errors.As(err, &gone) {
		t.Errorf("no daemon: %v", err)
	}
	if err := f.WriteAddress(datafolder.Address{HTTP: "http://127.0.0.1:1", Socket: "/s"}); err != nil {
		t.Fatal(err)
	}
	if _, err := (Place{Folder: f, TokenFile: named}).Find(); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a token file that is not there: %v", err)
	}
	for _, p := range []Place{{Folder: f}, {Folder: f, Address: "/s"}} {
		c, err := p.Find()
		if err != nil || c.Where() != "/s" {
			t.Errorf("%+v: %v, %v", p, c, err)
		}
	}
}
