package leaks

import (
	"os"
	"testing"
	"time"
)

func TestMain(m *testing.M) { Main(m) }

// tests are a function.
type tests func() int

func (t tests) Run() int { return t() }

// TestLeaks: whatever is left fails tests that pass otherwise.
func TestLeaks(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	defer func(is time.Duration) { patience = is }(patience)
	patience = time.Second
	stop, ended := make(chan struct{}), make(chan struct{})
	var file *os.File
	for name, c := range map[string]struct {
		leave, clear func() error
	}{
		"a goroutine": {func() error {
			go func() { <-stop; close(ended) }() // ends with clear
			return nil
		}, func() error { close(stop); <-ended; return nil }},
		"a descriptor": {func() (err error) { file, err = os.Open(os.DevNull); return err }, func() error { return file.Close() }},
		"a file": {func() error {
			f, err := os.CreateTemp(os.TempDir(), "left")
			if err != nil {
				return err
			}
			return f.Close()
		}, func() error { return nil }},
	} {
		code := Checked(tests(func() int {
			if err := c.leave(); err != nil {
				t.Error(err)
			}
			return 0
		})).Run()
		if err := c.clear(); err != nil {
			t.Error(err)
		}
		if code == 0 {
			t.Errorf("%s is left and nobody notices", name)
		}
	}
	for _, want := range []int{0, 3} {
		if code := Checked(tests(func() int { return want })).Run(); code != want {
			t.Errorf("tests that end with %d give %d", want, code)
		}
	}
}
