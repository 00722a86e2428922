// Package leaks ends the tests of a package: what they leave behind fails them, and so does what must never be the case and was (package
// invariant). Goroutines are looked for, descriptors, and files in the folder for temporary files, which each package has for
// itself (P17).
//
//	func TestMain(m *testing.M) { leaks.Main(m) }
package leaks

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/invariant"
	"go.uber.org/goleak"
)

// Tests are what testing.M runs.
type Tests interface{ Run() (code int) }

// Main runs a package's tests, looks at what they have left, and ends the process.
func Main(tests Tests) { os.Exit(Checked(tests).Run()) }

// Checked are tests that fail also for what they leave.
func Checked(tests Tests) Tests { return checked{tests} }

type checked struct{ tests Tests }

// engine is the one goroutine that may be left: the actors' engine counts dead letters for a second.
const engine = "github.com/asynkron/protoactor-go/actor.NewDeadLetter.NewThrottle.func4.1"

func (c checked) Run() (code int) {
	const folder = "TMPDIR"
	outer := os.Getenv(folder)
	temp, err := os.MkdirTemp("", "t") // short: paths of sockets are bounded
	if err == nil {
		err = os.Setenv(folder, temp)
	}
	if err != nil {
		return fail(err)
	}
	defer func() {
		_ = os.Setenv(folder, outer)
		_ = os.RemoveAll(temp) // what is left has been told
	}()
	before := descriptors()
	if code = invariant.Code(c.tests.Run(), os.Stderr); code != 0 {
		return code
	}
	if err := errors.Join(goroutines(), opened(before), files(temp)); err != nil {
		return fail(err)
	}
	return 0
}

func fail(err error) int {
	fmt.Fprintln(os.Stderr, err)
	return 1
}

// patience is how long what has ended may take to be gone.
var patience = 15 * time.Second

// goroutines says which there are that no test has ended.
func goroutines() (err error) {
	for deadline := time.Now().Add(patience); ; { // each look takes half a second where it finds some
		if err = goleak.Find(goleak.IgnoreTopFunction(engine)); err == nil || time.Now().After(deadline) {
			return err
		}
	}
}

// opened says which descriptors there are that were not there before.
func opened(before map[string]string) error {
	var list []string
	for deadline := time.Now().Add(patience); ; runtime.Gosched() {
		list = list[:0]
		for number, name := range descriptors() {
			if before[number] == "" && !strings.HasPrefix(name, "anon_inode:[event") { // the runtime's own poller
				list = append(list, number+" "+name)
			}
		}
		if len(list) == 0 {
			return nil
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("descriptors left: %s", strings.Join(list, ", "))
		}
	}
}

// descriptors gives the open ones by number, with what they are; none where the system does not tell.
func descriptors() map[string]string {
	const folder = "/proc/self/fd"
	open := map[string]string{}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return open
	}
	for _, e := range entries {
		if name, err := os.Readlink(filepath.Join(folder, e.Name())); err == nil { // that of the folder is closed again
			open[e.Name()] = name
		}
	}
	return open
}

// files says which temporary files are left.
func files(temp string) error {
	left, err := os.ReadDir(temp)
	left = slices.DeleteFunc(left, func(e os.DirEntry) bool {
		// testscript leaves its own folder, empty, where -run has chosen among its scripts.
		return strings.HasPrefix(e.Name(), "go-test-script") && os.Remove(filepath.Join(temp, e.Name())) == nil
	})
	if err != nil || len(left) == 0 {
		return err
	}
	return fmt.Errorf("temporary files left: %v", left)
}
