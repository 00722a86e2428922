package tty

import (
	"fmt"
	"io"
	"os"

	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

// Terminal is standard input and output where both are one. Its methods are called from one goroutine, but for Keys.
type Terminal struct {
	in, out *os.File
	was     *unix.Termios // before Begin; nil: it has not begun, or has ended
	whole   bool
}

// Open says whether input and output are a terminal whose keys this process may read: not in the background.
func Open(in io.Reader, out io.Writer) (*Terminal, bool) {
	i, ok := in.(*os.File)
	if !ok || !term.IsTerminal(int(i.Fd())) {
		return nil, false
	}
	o, ok := out.(*os.File)
	if !ok || !term.IsTerminal(int(o.Fd())) {
		return nil, false
	}
	t := &Terminal{in: i, out: o}
	return t, t.front()
}

// front says whether the process is in the foreground: the terminal would stop it where it reads from behind.
func (t *Terminal) front() bool {
	group, err := unix.IoctlGetInt(int(t.in.Fd()), unix.TIOCGPGRP)
	return err != nil || group == unix.Getpgrp()
}

// What a whole screen begins and ends with: the alternate screen, lines that do not wrap, no cursor, and the title kept. Pasted text is in brackets wherever
// keys are taken: without them it would be keys, and a key answers.
const (
	beginWhole = "\x1b[?1049h\x1b[?7l\x1b[?25l\x1b[H\x1b[2J"
	endWhole   = "\x1b[0m\x1b[?7h\x1b[?25h\x1b[?1049l"
	keepTitle  = "\x1b[22;2t"
	backTitle  = "\x1b[23;2t"
	beginPaste = "\x1b[?2004h"
	endPaste   = "\x1b[?2004l"
)

// Begin takes each key as it is pressed. whole takes the screen as well, and Ctrl-C as a key like others; otherwise what is written scrolls as ever, and
// Ctrl-C is a signal.
func (t *Terminal) Begin(whole bool) error {
	if t.was != nil {
		return nil
	}
	was, err := unix.IoctlGetTermios(int(t.in.Fd()), getTermios)
	if err != nil {
		return fmt.Errorf("the terminal's modes: %w", err)
	}
	now := *was
	now.Lflag &^= unix.ICANON | unix.ECHO
	now.Iflag &^= unix.ICRNL
	if whole {
		now.Lflag &^= unix.ISIG | unix.IEXTEN | unix.ECHONL
		now.Iflag &^= unix.IXON | unix.INLCR | unix.IGNCR | unix.ISTRIP | unix.BRKINT | unix.PARMRK
		now.Oflag &^= unix.OPOST
	}
	now.Cc[unix.VMIN], now.Cc[unix.VTIME] = 1, 0
	if err := unix.IoctlSetTermios(int(t.in.Fd()), setTermios, &now); err != nil {
		return fmt.Errorf("the terminal's modes: %w", err)
	}
	t.was, t.whole = was, whole
	begin := beginPaste
	if whole {
		begin = beginWhole + begin
		if titled() {
			begin = keepTitle + begin
		}
	}
	_, err = t.out.WriteString(begin)
	return err
}

// End gives the terminal back as it was. It may be called again.
func (t *Terminal) End() {
	if t.was == nil {
		return
	}
	end := endPaste
	if t.whole {
		end += endWhole
		if titled() {
			end += backTitle
		}
	}
	_, _ = t.out.WriteString(end) // the terminal may have gone, and then nothing is left to restore
	_ = unix.IoctlSetTermios(int(t.in.Fd()), setTermios, t.was)
	t.was = nil
}

// Size is how many columns and rows there are.
func (t *Terminal) Size() (columns, rows int) {
	columns, rows, err := term.GetSize(int(t.out.Fd()))
	if err != nil || columns <= 0 || rows <= 0 {
		return 80, 24
	}
	return columns, rows
}

// titled says whether the terminal knows titles: the console of Linux would show what it does not know.
func titled() bool {
	switch os.Getenv("TERM") {
	case "linux", "dumb", "":
		return false
	}
	return true
}

// Ring rings the bell, and has the desktop show a notice where the terminal can. The words are the program's own.
func (t *Terminal) Ring(words string) {
	text := "\a"
	if titled() {
		text = "\x1b]9;" + only(words) + "\x1b\\" + text
	}
	_, _ = t.out.WriteString(text) // what cannot be heard is on the screen as well
}
