package fake

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// A program that is a process is a link to the binary of a test that calls Main. Beside the link lie NAME.script, and what was played:
// NAME.N with the number of acts of start N, and NAME.wrong with complaints.

// Install puts a program into a folder. name is the agent's.
func Install(dir, name, script string) (program string, err error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	program = filepath.Join(dir, name)
	if err := os.WriteFile(program+".script", []byte(script), 0o600); err != nil {
		return "", err
	}
	if err := os.Symlink(self, program); !errors.Is(err, fs.ErrExist) {
		return program, err
	}
	return program, nil
}

// Problems says where the script and what the programs of a folder were told differ.
func Problems(dir, name string) []string {
	text, err := os.ReadFile(filepath.Join(dir, name+".script"))
	if err != nil {
		return []string{err.Error()}
	}
	s, err := Parse(string(text))
	if err != nil {
		return []string{err.Error()}
	}
	var problems []string
	if b, err := os.ReadFile(filepath.Join(dir, name+".wrong")); err == nil {
		problems = strings.Split(strings.TrimSpace(string(b)), "\n")
	}
	n := 0
	for i := range s.parts {
		p := &s.parts[i]
		if p.serve {
			continue
		}
		n++
		b, err := os.ReadFile(filepath.Join(dir, fmt.Sprintf("%s.%d", name, n)))
		if err != nil {
			problems = append(problems, fmt.Sprintf("%s: the start of line %d was not played", name, p.line))
			continue
		}
		if played, _ := strconv.Atoi(string(b)); played < len(p.acts) {
			problems = append(problems, fmt.Sprintf("%s: line %d was not played", name, p.acts[played].line))
		}
	}
	return problems
}

// Is says whether the process is to be a program: whether there is a script beside the name that it was started by.
func Is(arg0 string) bool {
	_, err := os.Stat(arg0 + ".script")
	return err == nil
}

// Main is such a program, to its end.
func Main() (code int) {
	here := os.Args[0]
	text, err := os.ReadFile(here + ".script") //nolint:gosec // the test that installed the program has named it
	if err != nil {
		return fail(err)
	}
	s, err := Parse(string(text))
	if err != nil {
		return fail(err)
	}
	if len(os.Args) == 2 && os.Args[1] == "--version" {
		fmt.Println(s.Version)
		return 0
	}
	how, err := playProcess(s, here)
	if err != nil {
		wrong(here, "%v", err)
		return fail(err)
	}
	if how.Signal != 0 {
		signal.Reset(how.Signal)
		_ = syscall.Kill(os.Getpid(), how.Signal)
		select {} // the signal comes
	}
	return how.Code
}

func fail(err error) int {
	fmt.Fprintln(os.Stderr, err)
	return 97
}

func playProcess(s *Script, here string) (End, error) {
	part, count, err := thisStart(s, here)
	if err != nil {
		return End{}, err
	}
	have := names{}
	if !arguments(part.args, os.Args[1:], have) {
		return End{}, fmt.Errorf("line %d: it was started with %s", part.line, strings.Join(os.Args[1:], " "))
	}
	q := newQueue()
	p := player{script: s, part: part, queue: q, names: have, real: true}
	p.played = func(n int) { _ = os.WriteFile(count, []byte(strconv.Itoa(n)), 0o600) }
	p.wrong = func(format string, a ...any) { wrong(here, format, a...) }
	var l net.Listener
	if s.Listens != "" {
		if l, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
			return End{}, err
		}
		fmt.Println(s.Listens + " http://" + l.Addr().String())
	} else {
		go hear(q) // ends with the process
	}
	face, log, over := newFace(s, q, os.Stdout, l)
	log.to = os.Stderr
	p.face = face
	how := p.play(context.Background())
	if how.Signal == 0 {
		over()
	}
	return how, nil
}

// hear reads the standard input.
func hear(q *queue) {
	in := input{queue: q}
	buffer := make([]byte, 64<<10)
	for {
		n, err := os.Stdin.Read(buffer)
		_, _ = in.Write(buffer[:n])
		if err != nil {
			q.end()
			return
		}
	}
}

// thisStart finds out which start of the script this is, and the file that counts its acts.
func thisStart(s *Script, here string) (*part, string, error) {
	for i, n := 0, 0; i < len(s.parts); i++ {
		if s.parts[i].serve {
			continue
		}
		n++
		count := fmt.Sprintf("%s.%d", here, n)
		f, err := os.OpenFile(count, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600) //nolint:gosec // as above
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return nil, "", err
		}
		return &s.parts[i], count, f.Close()
	}
	return nil, "", errors.New("the script has no more starts")
}

func wrong(here, format string, a ...any) {
	f, err := os.OpenFile(here+".wrong", os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600) //nolint:gosec // as above
	if err != nil {
		return
	}
	defer f.Close()
	_, _ = fmt.Fprintf(f, "%s: %s\n", filepath.Base(here), fmt.Sprintf(format, a...))
}
