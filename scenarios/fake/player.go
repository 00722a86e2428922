package fake

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"time"
)

// face is how a program speaks to whoever has started it. Its methods return when what they write was read, or nobody reads any more.
type face interface {
	write(text []byte)  // as it stands
	stderr(line string) // one line
	cut()               // loses all that is connected
}

// player plays one part of a script. It has no goroutine of its own.
type player struct {
	script *Script
	part   *part
	face   face
	queue  *queue
	names  names
	given  names                         // those of the arguments, which rules see
	real   bool                          // time is not waited for
	played func(lines int)               // so many acts were played; nil: nobody asks
	wrong  func(format string, a ...any) // the program was told what the script does not say
}

// maxShown is how much of a line a complaint shows.
const maxShown = 400

// errOver says that nothing more is to be played.
var errOver = errors.New("the program is over")

// play plays until the program is over. ctx ends it at once, as SIGKILL does.
func (p *player) play(ctx context.Context) End {
	p.given = maps.Clone(p.names)
	for i := range p.part.acts {
		a := &p.part.acts[i]
		if a.kind == end {
			p.note(i + 1)
			return a.end
		}
		if p.act(ctx, a) != nil {
			return End{}
		}
		p.note(i + 1)
	}
	for p.next(ctx, nil) == nil {
	}
	return End{}
}

func (p *player) note(n int) {
	if p.played != nil {
		p.played(n)
	}
}

func (p *player) act(ctx context.Context, a *act) error {
	switch a.kind {
	case read:
		return p.next(ctx, a)
	case write:
		return p.say(a.text)
	case half:
		p.face.write([]byte(a.text))
	case stderr:
		p.face.stderr(a.text)
	case cut:
		p.face.cut()
	case wait:
		return p.wait(ctx, a.wait)
	case end:
	}
	return ctx.Err()
}

func (p *player) say(line string) error {
	text, err := p.names.fill(line)
	if err != nil {
		p.wrong("> %s: %v", shown(line), err)
		return errOver
	}
	p.face.write([]byte(text + "\n"))
	return nil
}

// next reads until the line comes that an act wants; nil: until the end.
func (p *player) next(ctx context.Context, a *act) error {
	for {
		h, ok, ended := p.queue.take(func(heard) bool { return true })
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case !ok && ended:
			if a != nil {
				p.wrong("line %d: the input has ended, it waits for %s", a.line, shown(a.text))
			}
			return errOver
		case !ok:
			select {
			case <-p.queue.news:
			case <-ctx.Done():
			}
			continue
		}
		if a != nil {
			if taken, is := match(a.want, h.line, p.names); is {
				p.names = taken
				return nil
			}
		}
		if done, err := p.reply(h.line); done || h.free {
			if err != nil {
				return err
			}
			continue
		}
		if a == nil {
			p.wrong("nothing more was to come, and it was told %s", shown(string(h.line)))
		} else {
			p.wrong("line %d: it waits for %s, and was told %s", a.line, shown(a.text), shown(string(h.line)))
		}
		return errOver
	}
}

// reply plays the first rule that a line is as.
func (p *player) reply(line []byte) (done bool, err error) {
	for i := range p.script.rules {
		r := &p.script.rules[i]
		taken, is := match(r.want, line, p.given)
		if !is {
			continue
		}
		own := p.names
		p.names = taken
		for _, text := range r.reply {
			if err == nil {
				err = p.say(text)
			}
		}
		p.names = own
		return true, err
	}
	return false, nil
}

// isRule says whether a rule answers a line.
func (p *player) isRule(h heard) bool {
	for i := range p.script.rules {
		if _, is := match(p.script.rules[i].want, h.line, p.given); is {
			return true
		}
	}
	return false
}

// wait lets time pass. Rules hold meanwhile; what else is told waits.
func (p *player) wait(ctx context.Context, d time.Duration) error {
	if p.real {
		return nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	for {
		for h, ok, _ := p.queue.take(p.isRule); ok; h, ok, _ = p.queue.take(p.isRule) {
			if _, err := p.reply(h.line); err != nil {
				return err
			}
		}
		select {
		case <-timer.C:
			return nil
		case <-p.queue.news:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func shown(s string) string {
	if len(s) > maxShown {
		return fmt.Sprintf("%s… (%d bytes)", s[:maxShown], len(s))
	}
	return s
}
