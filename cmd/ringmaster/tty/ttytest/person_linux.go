package ttytest

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// patience is how long a person waits for what the screen is to show.
const patience = 30 * time.Second

// Person sits at a pseudo-terminal: reads its screen, and types. Its methods may be called from any goroutine.
type Person struct {
	TTY  *os.File // for the program
	Keys int      // typed so far

	t      testing.TB
	master *os.File
	ended  chan struct{}

	mu      sync.Mutex
	screen  *Screen
	changed chan struct{} // closed at the next change
}

// Sit makes a pseudo-terminal of so many columns and rows, and somebody at it until the test's end.
func Sit(t testing.TB, columns, rows int) *Person {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no pseudo-terminals here: %v", err)
	}
	fd := int(master.Fd())
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	number, err := unix.IoctlGetUint32(fd, unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	slave, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	p := &Person{t: t, TTY: slave, master: master, ended: make(chan struct{}), screen: NewScreen(columns, rows), changed: make(chan struct{})}
	p.size(columns, rows)
	go p.read()
	t.Cleanup(func() {
		_ = slave.Close()
		<-p.ended // all that was written is read
		_ = master.Close()
	})
	return p
}

func (p *Person) size(columns, rows int) {
	if err := unix.IoctlSetWinsize(int(p.master.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: uint16(rows), Col: uint16(columns)}); err != nil {
		p.t.Error(err)
	}
}

// Resize gives the terminal another size. The program has to be told by a signal of the caller's, where the terminal does not control it.
func (p *Person) Resize(columns, rows int) {
	p.mu.Lock()
	p.screen.Resize(columns, rows)
	p.mu.Unlock()
	p.size(columns, rows)
}

func (p *Person) read() {
	defer close(p.ended)
	b := make([]byte, 64<<10)
	for {
		n, err := p.master.Read(b)
		p.mu.Lock()
		_, _ = p.screen.Write(b[:n])
		close(p.changed)
		p.changed = make(chan struct{})
		p.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// Look has a person look at the screen now.
func (p *Person) Look(at func(s *Screen)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	at(p.screen)
}

// Sees waits until the screen shows all of these texts.
func (p *Person) Sees(texts ...string) {
	p.t.Helper()
	p.Until("shows "+strings.Join(texts, ", "), func(s *Screen) bool {
		all := s.Text()
		for _, text := range texts {
			if !strings.Contains(all, text) {
				return false
			}
		}
		return true
	})
}

// Until waits until the screen is as somebody wants it.
func (p *Person) Until(what string, is func(s *Screen) bool) {
	p.t.Helper()
	late := time.NewTimer(patience)
	defer late.Stop()
	for {
		p.mu.Lock()
		ok, changed, text := is(p.screen), p.changed, p.screen.Text()
		p.mu.Unlock()
		if ok {
			return
		}
		select {
		case <-changed:
		case <-late.C:
			p.t.Fatalf("the screen never %s:\n%s", what, text)
		}
	}
}

// Press types keys, each of which is what a terminal sends for it.
func (p *Person) Press(keys ...string) {
	p.t.Helper()
	for _, k := range keys {
		p.Keys++
		if _, err := p.master.WriteString(k); err != nil {
			p.t.Error(err)
		}
	}
}

// Paste pastes a text as a terminal does: in brackets, where the program has asked for them.
func (p *Person) Paste(text string) {
	p.t.Helper()
	p.Look(func(s *Screen) {
		if s.Modes["2004"] {
			text = "\x1b[200~" + text + "\x1b[201~"
		}
	})
	p.Press(text)
}

// Modes are the terminal's modes now.
func (p *Person) Modes() unix.Termios {
	m, err := unix.IoctlGetTermios(int(p.TTY.Fd()), unix.TCGETS)
	if err != nil {
		p.t.Fatal(err)
	}
	return *m
}
