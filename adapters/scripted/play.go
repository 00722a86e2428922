package scripted

import "time"

// player plays the steps of a script.
type player struct {
	script  *Script
	out     *output
	in      *input
	session *session
	talk    *talk
	texts   texts
	queue   queue
	tools   tools
	faults  faults

	retrying   bool // a model request failed and is not yet repeated
	compacting bool
}

// answer answers a prompt, and what is steered in meanwhile.
func (p *player) answer(m prompt) error {
	p.retrying = false
	p.texts.begin(m.text)
	p.talk.begin()
	p.talk.user(m)
	if len(p.queue.list) > 0 { // what an aborted run has left
		p.talk.user(p.queue.next())
	}
	if err := p.respond(m.text); err != nil {
		return err
	}
	return p.deliver()
}

// respond plays the answer to a prompt: the script that it carries, else the turn that matches, else the echo.
func (p *player) respond(text string) error {
	steps, found, err := inPrompt(text)
	switch {
	case err != nil:
		steps = []Step{Fail{Error: err.Error()}}
	case !found:
		steps = echo(text)
		if t := p.script.turnFor(text, false); t != nil {
			steps = t.Steps
		}
	}
	if err := p.play(steps); err != nil {
		return err
	}
	p.talk.endMessage("stop")
	if p.talk.last != "stop" {
		p.talk.beginMessage() // a model answers a tool's result, if only with nothing
		p.talk.endMessage("stop")
	}
	return nil
}

// deliver takes the messages that were steered in into the run, and answers them.
func (p *player) deliver() error {
	for len(p.queue.list) > 0 {
		p.talk.endMessage("stop")
		p.talk.startRound()
		m := p.queue.next()
		p.talk.user(m)
		steps := []Step{Say{Text: "I heard: " + m.text, Pace: Pace{Over: Duration(200 * time.Millisecond)}}}
		if t := p.script.turnFor(m.text, true); t != nil {
			steps = t.Steps
		}
		if err := p.play(steps); err != nil {
			return err
		}
		p.talk.endMessage("stop")
	}
	return nil
}

// play takes the steps one after the other. Between two it takes what was steered in.
func (p *player) play(steps []Step) error {
	for _, s := range steps {
		if err := p.do(s); err != nil {
			return err
		}
		if err := p.in.poll(); err != nil {
			return err
		}
		if err := p.deliver(); err != nil {
			return err
		}
	}
	return nil
}

// goOn plays the steps that follow an answer of the user.
func (p *player) goOn(then []Step, err error) error {
	if err != nil {
		return err
	}
	return p.play(then)
}

// do takes one step.
func (p *player) do(s Step) error {
	switch s := s.(type) {
	case Say:
		return p.talk.stream("text", p.texts.fill(s.Text), s.Pace)
	case Think:
		return p.talk.stream("thinking", p.texts.fill(s.Text), s.Pace)
	case Tool:
		return p.goOn(p.tools.call(s))
	case MCP:
		return p.tools.callServer(s)
	case Ask:
		return p.goOn(p.tools.ask(s))
	case Retry:
		return p.retry(s)
	case Compact:
		return p.compact(s)
	case Fail:
		p.talk.failMessage("error", p.texts.fill(s.Error))
		p.talk.end(false)
		return errFailed
	case Wait:
		return p.in.wait(time.Duration(s.For))
	case Raw:
		p.out.line([]byte(s.Line))
	case Usage:
		p.talk.usage = &s
	case Slow:
		p.out.slow = time.Duration(s.Every)
	case Stall:
		return p.in.until(nil)
	case Die:
		return p.faults.die(s)
	case Giant:
		return p.faults.giant(s)
	case Garbage:
		return p.faults.garbage(s)
	case Flood:
		return p.talk.flood(s)
	case Ignore:
		p.in.ignore(s.What)
	case Stderr:
		p.faults.complain(p.texts.fill(s.Text), s.Times)
	case Spawn:
		p.faults.startStray(s)
	}
	return nil
}

// retry lets the model request fail and be repeated.
func (p *player) retry(s Retry) error {
	attempts := max(1, s.Attempts)
	delay := time.Duration(s.Delay)
	if delay == 0 {
		delay = 2 * time.Second
	}
	why := s.Error
	if why == "" {
		why = `503: {"message":"Overloaded","type":"overloaded_error"}`
	}
	for i := 1; i <= attempts; i++ {
		p.talk.failMessage("error", why)
		p.talk.end(true)
		p.out.emit(retryStart{Type: "auto_retry_start", Attempt: i, MaxAttempts: max(3, attempts), DelayMs: delay.Milliseconds(), ErrorMessage: why})
		// The failed message stays in the session, but not in the model's context.
		raw := p.session.add(entry{Type: "context_edit", TargetID: p.session.leaf, Replacement: []byte("null")})
		p.out.emit(entryAppended{Type: "entry_appended", Entry: raw})
		p.talk.attempt, p.retrying = i, true
		if err := p.in.wait(delay); err != nil {
			return err
		}
		p.retrying = false
		delay *= 2
		p.talk.start()
	}
	if !s.Fail {
		return nil // the next message that ends well says so
	}
	p.talk.failMessage("error", why)
	p.talk.end(false)
	p.out.emit(retryEnd{Type: "auto_retry_end", Attempt: attempts, FinalError: why})
	return errFailed
}

// compact compacts in the middle of a run.
func (p *player) compact(s Compact) error {
	p.talk.endMessage("stop")
	reason := s.Reason
	if reason == "" {
		reason = "threshold"
	}
	p.out.emit(compactionStart{"compaction_start", reason})
	p.compacting = true
	err := p.in.wait(time.Duration(s.Over))
	p.compacting = false
	if err != nil {
		p.out.emit(compactionEnd{Type: "compaction_end", Reason: reason, Aborted: true})
		return err
	}
	context := p.session.context
	r := compactionResult{
		Summary: p.texts.fill(s.Summary), FirstKeptEntry: p.session.leaf, TokensBefore: context, TokensAfter: context / 10,
		Usage: p.session.model.priced(Usage{Input: context, Output: 20}), Details: compactionInfo{[]string{}, []string{}},
	}
	p.session.add(entry{Type: "compaction", Summary: r.Summary, FirstKept: r.FirstKeptEntry, TokensBefore: r.TokensBefore, Usage: &r.Usage})
	p.out.emit(compactionEnd{Type: "compaction_end", Reason: reason, Result: &r})
	return nil
}

// abort ends what an abort has left open.
func (p *player) abort() {
	if p.retrying {
		p.out.emit(retryEnd{Type: "auto_retry_end", Attempt: p.talk.attempt, FinalError: "Retry cancelled"})
		return
	}
	p.talk.abort()
	p.talk.end(false)
}

// keep puts into the session what Pi puts there when it is asked to end in the middle of a run, and says nothing.
func (p *player) keep() {
	if !p.retrying {
		p.tools.keep()
		p.talk.keep()
	}
}
