package figures

import (
	"fmt"
	"os"
	"sync"
)

// Tally adds up the counts of a lane that is one package's tests, in the order in which they came. It is safe for concurrent use.
type Tally struct {
	mu   sync.Mutex
	list []Figure
}

// Count adds n to the figure of a name.
func (t *Tally) Count(promise, name string, n int, goal string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i := range t.list {
		if t.list[i].Name == name {
			t.list[i].Value += float64(n)
			return
		}
	}
	t.list = append(t.list, Figure{Name: name, Value: float64(n), Promise: promise, Goal: goal})
}

// Main runs a package's tests, records what they counted where all of them passed, and gives the exit code. It is for TestMain.
func (t *Tally) Main(tests interface{ Run() int }, lane, command string) (code int) {
	if code = tests.Run(); code != 0 {
		return code
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := Record(lane, command, t.list...); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}
