package fake

import (
	"context"
	"fmt"
	"maps"
	"net"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

// Stage runs programs as goroutines of the calling process, over pipes and, where they listen, over a network of its own: it can be used
// inside of a synctest bubble. With Real it serves those that are attached to over the machine's network. It must be closed.
type Stage struct {
	Real bool

	mu       sync.Mutex
	programs map[string]*program
	network  map[string]*pipes // by address
	running  map[*machine]bool
	ports    int
	wrong    []string
	closing  bool           // nothing is started again
	work     sync.WaitGroup // programs that are attached to
}

// program is a script, and how far it was played.
type program struct {
	name     string
	script   *Script
	begun    []bool // of its parts
	endpoint string // where it is attached to; empty: nowhere yet
}

var _ adapters.Network = (*Stage)(nil)

// Set says what a program does from its next start on, by the name that Launch.Path ends with.
func (s *Stage) Set(name string, script *Script) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.programs == nil {
		s.programs, s.network, s.running = map[string]*program{}, map[string]*pipes{}, map[*machine]bool{}
	}
	if old := s.programs[name]; old != nil {
		s.wrong = append(s.wrong, old.unplayed()...)
	}
	s.programs[name] = &program{name: name, script: script, begun: make([]bool, len(script.parts))}
}

// Version is that of a program; ok is false where there is none.
func (s *Stage) Version(name string) (version string, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.programs[name]
	if p == nil {
		return "", false
	}
	return p.script.Version, true
}

func (s *Stage) complain(who, format string, a ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wrong = append(s.wrong, who+": "+fmt.Sprintf(format, a...))
}

// next gives the part for the next start. mu is held.
func (p *program) next(serve bool) (*part, error) {
	for i, begun := range p.begun {
		if !begun && p.script.parts[i].serve == serve {
			p.begun[i] = true
			return &p.script.parts[i], nil
		}
	}
	return nil, fmt.Errorf("%s: the script has no more starts", p.name)
}

func (p *program) unplayed() (problems []string) {
	for i, begun := range p.begun {
		if !begun {
			problems = append(problems, fmt.Sprintf("%s: the start of line %d was not played", p.name, p.script.parts[i].line))
		}
	}
	return problems
}

// Start implements adapters.Transport.
func (s *Stage) Start(ctx context.Context, launch adapters.Launch) (adapters.Conn, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.programs[filepath.Base(launch.Path)]
	if p == nil {
		return nil, fmt.Errorf("there is no program %s", launch.Path)
	}
	part, err := p.next(false)
	have := names{}
	if err == nil && !arguments(part.args, launch.Args, have) {
		err = fmt.Errorf("%s: line %d: it was started with %s", p.name, part.line, strings.Join(launch.Args, " "))
	}
	if err != nil {
		s.wrong = append(s.wrong, err.Error())
		return nil, err
	}
	m := newMachine(s, p, part, have)
	var l net.Listener
	if p.script.Listens != "" {
		l = s.listen(s.address())
	}
	s.running[m] = true
	go m.run(l)
	return m, nil
}

// address gives an address that nobody has. mu is held.
func (s *Stage) address() *net.TCPAddr {
	s.ports++
	return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 4095 + s.ports}
}

func (s *Stage) listen(at *net.TCPAddr) net.Listener {
	l := newPipes(at)
	s.network[at.String()] = l
	return l
}

// DialContext implements adapters.Network.
func (s *Stage) DialContext(ctx context.Context, _, address string) (net.Conn, error) {
	s.mu.Lock()
	l := s.network[address]
	s.mu.Unlock()
	if l == nil {
		return nil, errRefused
	}
	return l.dial(ctx)
}

// Endpoint is where a program is attached to. The first who asks starts it; when it ends, it is started again as its script has it.
func (s *Stage) Endpoint(name string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.programs[name]
	switch {
	case p == nil:
		return "", fmt.Errorf("there is no program %s", name)
	case p.endpoint != "":
		return p.endpoint, nil
	}
	part, err := p.next(true)
	if err != nil {
		return "", err
	}
	at := s.address()
	if s.Real {
		at.Port = 0 // one that is free
	}
	l, err := s.open(at)
	if err != nil {
		return "", err
	}
	at = l.Addr().(*net.TCPAddr) //nolint:forcetypeassert // of a TCP listener
	p.endpoint = "ws://" + at.String()
	if p.script.Listens != "" {
		p.endpoint = "http://" + at.String()
	}
	m := newMachine(s, p, part, names{})
	s.running[m] = true
	s.work.Go(func() { s.serve(m, at, l) }) // ends with the last start, or with the stage
	return p.endpoint, nil
}

// open listens for programs that are attached to. mu is held.
func (s *Stage) open(at *net.TCPAddr) (net.Listener, error) {
	if s.Real {
		return net.ListenTCP("tcp", at)
	}
	return s.listen(at), nil
}

func (s *Stage) serve(m *machine, at *net.TCPAddr, l net.Listener) {
	for {
		go m.run(l)
		if m.Wait().Requested {
			return
		}
		s.mu.Lock()
		if s.closing {
			s.mu.Unlock()
			return
		}
		part, err := m.program.next(true)
		if err == nil {
			l, err = s.open(at)
		}
		if err == nil {
			m = newMachine(s, m.program, part, names{})
			s.running[m] = true
		}
		s.mu.Unlock()
		if err != nil {
			return // it is not started any more
		}
	}
}

// Running is how many programs that were started have not ended.
func (s *Stage) Running() (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for m := range s.running {
		if !m.part.serve {
			n++
		}
	}
	return n
}

// Close ends what is attached to, and says where the scripts and what was told the programs differ.
func (s *Stage) Close() []string {
	s.mu.Lock()
	s.closing = true
	for m := range s.running {
		if m.part.serve {
			m.Stop(0)
		}
	}
	s.mu.Unlock()
	s.work.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, name := range slices.Sorted(maps.Keys(s.programs)) {
		s.wrong = append(s.wrong, s.programs[name].unplayed()...)
	}
	return s.wrong
}
