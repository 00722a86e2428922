package scripted

import (
	"fmt"
	"time"
)

// do takes one step.
func (a *agent) do(s Step) error {
	switch s := s.(type) {
	case Say:
		return a.stream("text", a.fill(s.Text), s.Pace)
	case Think:
		return a.stream("thinking", a.fill(s.Text), s.Pace)
	case Tool:
		return a.callTool(s)
	case MCP:
		return a.callMCP(s)
	case Ask:
		return a.askUser(s)
	case Retry:
		return a.retry(s)
	case Compact:
		return a.compact(s)
	case Fail:
		a.failMessage("error", a.fill(s.Error))
		a.endAgent(false)
		return errFailed
	case Wait:
		return a.wait(time.Duration(s.For))
	case Raw:
		a.emitLine([]byte(s.Line))
	case Usage:
		a.usage = &s
	case Slow:
		a.slow = time.Duration(s.Every)
	case Stall:
		return a.until(nil)
	case Die:
		return a.die(s)
	case Giant:
		return a.giant(s)
	case Garbage:
		return a.garbage(s)
	case Flood:
		return a.flood(s)
	case Ignore:
		for _, w := range s.What {
			a.ignore[w] = true
		}
	case Stderr:
		for range max(1, s.Times) {
			fmt.Fprintln(a.stderr, a.fill(s.Text))
		}
	case Spawn:
		a.startStray(s)
	}
	return nil
}

// beforeReady says whether a step can be taken while there is no prompt.
func beforeReady(s Step) bool {
	switch s.(type) {
	case Wait, Raw, Usage, Slow, Stall, Die, Giant, Garbage, Ignore, Stderr, Spawn:
		return true
	case Say, Think, Tool, MCP, Ask, Retry, Compact, Fail, Flood:
		return false
	}
	return false
}

// retry lets the model request fail and be repeated.
func (a *agent) retry(s Retry) error {
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
		a.failMessage("error", why)
		a.endAgent(true)
		a.emit(retryStart{Type: "auto_retry_start", Attempt: i, MaxAttempts: max(3, attempts), DelayMs: delay.Milliseconds(), ErrorMessage: why})
		// The failed message stays in the session, but not in the model's context.
		_, raw := a.session.add(entry{Type: "context_edit", TargetID: a.session.leaf, Replacement: []byte("null")}, a.entryID)
		a.emit(entryAppended{Type: "entry_appended", Entry: raw})
		a.run.retrying, a.run.attempt = true, i
		if err := a.wait(delay); err != nil {
			return err
		}
		a.run.retrying = false
		delay *= 2
		a.emit(bare{"agent_start"})
		a.startRound()
	}
	if !s.Fail {
		return nil // the next message that ends well says so
	}
	a.failMessage("error", why)
	a.endAgent(false)
	a.emit(retryEnd{Type: "auto_retry_end", Attempt: attempts, FinalError: why})
	return errFailed
}

// compact compacts in the middle of a run.
func (a *agent) compact(s Compact) error {
	a.endMessage("stop")
	reason := s.Reason
	if reason == "" {
		reason = "threshold"
	}
	a.emit(compactionStart{"compaction_start", reason})
	a.run.compacting = true
	err := a.wait(time.Duration(s.Over))
	a.run.compacting = false
	if err != nil {
		a.emit(compactionEnd{Type: "compaction_end", Reason: reason, Aborted: true})
		return err
	}
	context := a.session.context
	r := compactionResult{
		Summary: a.fill(s.Summary), FirstKeptEntry: a.session.leaf, TokensBefore: context, TokensAfter: context / 10,
		Usage: a.session.model.priced(Usage{Input: context, Output: 20}), Details: compactionInfo{[]string{}, []string{}},
	}
	a.session.add(entry{Type: "compaction", Summary: r.Summary, FirstKept: r.FirstKeptEntry, TokensBefore: r.TokensBefore, Usage: &r.Usage}, a.entryID)
	a.emit(compactionEnd{Type: "compaction_end", Reason: reason, Result: &r})
	return nil
}
