package server

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// oldest is the first version that Core works with.
const oldest = 14

// patience is how long one of the programs may take.
const patience = 2 * time.Minute

// Programs are PostgreSQL's, of one version.
type Programs struct {
	folder string
	major  int
}

// places are where packages put the programs, which is not the PATH as a rule.
var places = []string{
	"/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", "/usr/libexec/postgresql*",
	"/opt/homebrew/opt/postgresql@*/bin", "/usr/local/opt/postgresql@*/bin", "/Applications/Postgres.app/Contents/Versions/*/bin",
}

// Find finds the programs: those of the PATH, else the newest; of one version where it is not 0.
func Find(ctx context.Context, major int) (Programs, error) {
	var found []Programs
	for _, folder := range folders() {
		if p := (Programs{folder: folder}); p.isWhole() {
			p.major = p.version(ctx)
			found = append(found, p)
		}
	}
	found = slices.DeleteFunc(found, func(p Programs) bool { return p.major < oldest || major > 0 && p.major != major })
	switch {
	case len(found) == 0 && major > 0:
		return Programs{}, &Error{
			Missing, errors.New("the database was made by PostgreSQL " + strconv.Itoa(major) + ", which is not installed"),
			"install that version (apt-get install postgresql-" + strconv.Itoa(major) + "), or begin anew in another folder",
		}
	case len(found) == 0:
		return Programs{}, &Error{
			Missing, errors.New("no PostgreSQL server is installed (initdb, pg_ctl and postgres, " + strconv.Itoa(oldest) + " or newer)"),
			"apt-get install postgresql, dnf install postgresql-server or brew install postgresql@17; its own service is not needed",
		}
	case os.Geteuid() == 0 && stranger() == nil:
		return Programs{}, &Error{
			Root, errors.New("PostgreSQL's programs refuse root, and there is no user postgres or nobody to run them as"),
			"call this as another user",
		}
	}
	return found[0], nil
}

// folders are where the programs may be, in the order in which they are wanted.
func folders() (list []string) {
	var newest []string
	for _, pattern := range places {
		found, _ := filepath.Glob(pattern) // the patterns are right
		newest = append(newest, found...)
	}
	slices.SortStableFunc(newest, func(a, b string) int { return number(b) - number(a) })
	if initdb, err := exec.LookPath("initdb"); err == nil {
		if program, err := filepath.EvalSymlinks(initdb); err == nil {
			list = append(list, filepath.Dir(program))
		}
	}
	return append(list, newest...)
}

// number is the version in the name of a folder; 0: there is none.
func number(folder string) int {
	digits := strings.FieldsFunc(folder, func(r rune) bool { return r < '0' || r > '9' })
	if len(digits) == 0 {
		return 0
	}
	n, _ := strconv.Atoi(digits[0]) // 0 sorts last
	return n
}

func (p Programs) isWhole() bool {
	for _, name := range []string{"initdb", "pg_ctl", "postgres"} {
		if _, err := os.Stat(p.Path(name)); err != nil {
			return false
		}
	}
	return true
}

// Path is that of one of the programs.
func (p Programs) Path(name string) string { return filepath.Join(p.folder, name) }

// version is what the server says of itself, as in "postgres (PostgreSQL) 17.2"; 0: it does not run here.
func (p Programs) version(ctx context.Context) int {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	out, err := exec.CommandContext(ctx, p.Path("postgres"), "--version").Output()
	_, text, is := strings.Cut(string(out), "(PostgreSQL) ")
	if err != nil || !is {
		return 0
	}
	return number(text)
}
