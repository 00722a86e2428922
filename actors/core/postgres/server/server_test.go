package server

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/core/postgres"
	"github.com/ringmaster-agents/ringmaster/scenarios/leaks"
)

func TestMain(m *testing.M) { leaks.Main(m) }

// place is a folder that is not there yet, to which also the server's user comes, and whose server ends with the test.
func place(t *testing.T) Folder {
	t.Helper()
	if testing.Short() {
		t.Skip("-short: starts a server")
	}
	var missing *Error
	if _, err := Find(t.Context(), 0); errors.As(err, &missing) {
		t.Skip(err)
	}
	dir := t.TempDir()
	for above := dir; above != filepath.Dir(filepath.Clean(os.TempDir())); above = filepath.Dir(above) {
		if err := os.Chmod(above, 0o711); err != nil {
			t.Fatal(err)
		}
	}
	f := Folder{filepath.Join(dir, "core")}
	t.Cleanup(func() {
		if _, err := f.read(); err != nil {
			return // nothing was begun
		}
		if _, err := Stop(context.Background(), f); err != nil {
			t.Error(err)
		}
	})
	return f
}

func start(t *testing.T, f Folder, port int) Running {
	t.Helper()
	r, err := Start(t.Context(), f, port)
	if err != nil {
		text, _ := os.ReadFile(f.Log())
		t.Fatal(err, string(text))
	}
	return r
}

// reason is why there is no server.
func reason(err error) Reason {
	var e *Error
	if !errors.As(err, &e) || e.Hint() == "" || e.Error() == "" {
		return ""
	}
	return e.Reason
}

// TestServer: a server is made, found, ended and started again with what it had.
//
// Proves: I16.8/init
func TestServer(t *testing.T) {
	f := place(t)
	if err := os.MkdirAll(f.Path, 0o700); err != nil { // empty: it is taken
		t.Fatal(err)
	}
	r := start(t, f, 0)
	if !r.Begun || r.Port < firstPort || r.Port > lastPort || r.Version == "" {
		t.Errorf("begun: %+v", r)
	}
	for path, want := range map[string]os.FileMode{f.PasswordFile(): 0o600, filepath.Join(f.Path, mark): 0o600, f.own(): 0o700 | os.ModeDir} {
		if info, err := os.Stat(path); err != nil || info.Mode() != want {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
	options := postgres.Options{Password: f.Password}
	if _, _, err := postgres.Migrate(t.Context(), r.URL(), options); err != nil {
		t.Fatal(err)
	}
	if again := start(t, f, 0); again.Begun || again.Port != r.Port {
		t.Errorf("called again: %+v", again)
	}
	if _, err := Start(t.Context(), f, r.Port+1); reason(err) != Port {
		t.Errorf("at another port while it runs: %v", err)
	}
	if ran, err := Stop(t.Context(), f); !ran || err != nil {
		t.Errorf("stop: %v, %v", ran, err)
	}
	if ran, err := Stop(t.Context(), f); ran || err != nil {
		t.Errorf("stop again: %v, %v", ran, err)
	}
	if again := start(t, f, 0); !again.Begun || again.Port != r.Port {
		t.Errorf("started again: %+v", again)
	}
	if from, to, err := postgres.Migrate(t.Context(), r.URL(), options); err != nil || from != to {
		t.Errorf("its tables are not there: %d, %d, %v", from, to, err)
	}
}

// A making that was killed before its end is made anew.
func TestMakingThatWasKilled(t *testing.T) {
	f := place(t)
	release, err := f.claim()
	if err != nil {
		t.Fatal(err)
	}
	release()
	if err := os.MkdirAll(filepath.Join(f.own(), "new", "base"), 0o700); err != nil {
		t.Fatal(err)
	}
	start(t, f, 0)
}

// TestLeastRights: the one user comes to the one database by the password, and to nothing else; an administrator comes to nothing.
//
// Proves: I16.8/init-rights
func TestLeastRights(t *testing.T) {
	f := place(t)
	r := start(t, f, 0)
	open := func(user, database, password string) error {
		url := "postgres://" + user + "@127.0.0.1:" + strconv.Itoa(r.Port) + "/" + database + "?sslmode=disable"
		_, err := postgres.Ask(t.Context(), url, postgres.Options{Password: func() (string, error) { return password, nil }})
		return err
	}
	password, err := f.Password()
	if err != nil {
		t.Fatal(err)
	}
	if err := open(User, Database, password); err != nil {
		t.Error(err)
	}
	for _, who := range [][3]string{{User, Database, "wrong"}, {User, "postgres", password}, {"postgres", "postgres", ""}, {"postgres", Database, password}} {
		if err := open(who[0], who[1], who[2]); err == nil {
			t.Errorf("%q comes in", who)
		}
	}
	log, err := os.ReadFile(f.Log())
	if err != nil || strings.Contains(string(log), password) {
		t.Errorf("the log has the password, or is not there: %v", err)
	}
}

// TestFolderOfSomethingElse: what is not this command's is not touched.
//
// Proves: I16.8/init-refusals
func TestFolderOfSomethingElse(t *testing.T) {
	f := place(t)
	for name, text := range map[string]string{"notes": "mine", mark: `{"madeBy":"another"}`} {
		if err := os.MkdirAll(f.Path, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(f.Path, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Start(t.Context(), f, 0); reason(err) != Foreign {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := Stop(t.Context(), f); reason(err) != Foreign {
			t.Errorf("%s: %v", name, err)
		}
		entries, err := os.ReadDir(f.Path)
		if err != nil || len(entries) != 1 {
			t.Errorf("%s: it was changed: %v, %v", name, entries, err)
		}
		if err := os.RemoveAll(f.Path); err != nil {
			t.Fatal(err)
		}
	}
}

// TestPortThatIsTaken: whoever else listens at the port is left alone, also where it was this server's.
//
// Proves: I16.8/init-refusals
func TestPortThatIsTaken(t *testing.T) {
	f := place(t)
	r := start(t, f, 0)
	if ran, err := Stop(t.Context(), f); !ran || err != nil {
		t.Fatal(ran, err)
	}
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(r.Port)))
	if err != nil {
		t.Fatal(err)
	}
	closed := make(chan struct{})
	go func() { // a stranger, who has nothing to say
		defer close(closed)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			_ = c.Close()
		}
	}()
	defer func() { _ = l.Close(); <-closed }()
	if _, err := Start(t.Context(), f, 0); reason(err) != Port {
		t.Errorf("its own port is taken: %v", err)
	}
	if ran, err := Stop(t.Context(), f); ran || err != nil {
		t.Errorf("stop: %v, %v", ran, err)
	}
	if moved := start(t, f, freePort(t)); !moved.Begun || moved.Port == r.Port {
		t.Errorf("moved: %+v", moved)
	}
}

func freePort(t *testing.T) int {
	t.Helper()
	port, err := free(0)
	if err != nil {
		t.Fatal(err)
	}
	return port
}

// Of two at once one works, and the other says so.
func TestTwoAtOnce(t *testing.T) {
	f := place(t)
	release, err := f.claim()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Start(t.Context(), f, 0); reason(err) != Busy {
		t.Errorf("beside another: %v", err)
	}
	release()
}

// TestWithoutPrograms: nothing is made where nothing can run.
//
// Proves: I16.8/init-refusals
func TestWithoutPrograms(t *testing.T) {
	f := place(t)
	t.Setenv("PATH", t.TempDir())
	kept := places
	places = nil
	defer func() { places = kept }()
	if _, err := Start(t.Context(), f, 0); reason(err) != Missing {
		t.Errorf("without programs: %v", err)
	}
	if _, err := os.Stat(f.Path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a folder was made: %v", err)
	}
}

// TestOtherVersion: the data of a version that is not installed are left as they are.
//
// Proves: I16.8/init-refusals
func TestOtherVersion(t *testing.T) {
	f := place(t)
	release, err := f.claim()
	if err != nil {
		t.Fatal(err)
	}
	release()
	if err := os.MkdirAll(f.data(), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(f.data(), "PG_VERSION"), []byte("9\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Start(t.Context(), f, 0); reason(err) != Missing || !strings.Contains(err.Error(), "PostgreSQL 9") {
		t.Errorf("data of another version: %v", err)
	}
}

// TestFolderThatTheServerCannotReach: the server's user, where that is another one, has to come to the folder. That is found out before there is one.
//
// Proves: I16.8/init-refusals
func TestFolderThatTheServerCannotReach(t *testing.T) {
	f := place(t)
	if os.Geteuid() != 0 {
		t.Skip("the server runs as this user")
	}
	if err := os.Chmod(filepath.Dir(f.Path), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := Start(t.Context(), f, 0); reason(err) != Place {
		t.Errorf("out of reach: %v", err)
	}
	if _, err := os.Stat(f.Path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a folder was made: %v", err)
	}
}
