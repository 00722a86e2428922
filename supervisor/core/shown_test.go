package core

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/ringmaster-agents/ringmaster/actors/budget"
	session "github.com/ringmaster-agents/ringmaster/actors/session/core"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// shown is an effect as transcripts have it.
func shown(e Effect) string {
	switch e := e.(type) {
	case Made:
		return fmt.Sprintf("= %d made %s%s%s", e.Ticket, e.Created.ID, when(e.Created.Repeated, "repeated"), when(e.Created.Found, "found"))
	case Given:
		return fmt.Sprintf("= %d the actor of %s", e.Ticket, e.ID)
	case Done:
		return fmt.Sprintf("= %d done", e.Ticket)
	case Agents:
		text := fmt.Sprintf("= %d agents", e.Ticket)
		for _, a := range e.List {
			text += fmt.Sprintf(" %s (%s%s)", a.Name, a.Installation.Program, a.Installation.Problem)
		}
		return text
	case Failed:
		return fmt.Sprintf("= %d %s", e.Ticket, problem(e.Err))
	case AskAgain:
		return fmt.Sprintf("> ask %d again", e.Ticket)
	case AskOnceSafe:
		return fmt.Sprintf("> ask %d again once its key is safe", e.Ticket)
	case Bind:
		return fmt.Sprintf("> bind the key to %s, then answer %d", e.Created.ID, e.Ticket)
	case Make:
		return fmt.Sprintf("> make %s, life %d%s, agent %s", e.ID, e.Life, when(e.Key.Name != "", "with key "+e.Key.Name), e.Begin.Agent)
	case Wake:
		return "> " + wake(&e)
	case Send:
		return fmt.Sprintf("> to %s: %s", e.ID, letter(e.Letter))
	case Lose:
		return "> lose " + letter(e.Letter)
	case Park:
		return fmt.Sprintf("> park %s%s", e.ID, when(e.Drain, "to drain"))
	case ReviveLater:
		return fmt.Sprintf("> revive %s after %v, failed %d times", e.ID, e.Delay, e.Times)
	case Aside:
		return fmt.Sprintf("> put %s aside, failed %d times", e.ID, e.Times)
	case Launch:
		return fmt.Sprintf("> launch %s %d%s%s%s", e.ID, e.Start.Incarnation, when(e.Fresh, "fresh"), when(e.MCP, "with MCP"), when(e.Endpoint != nil, "attached"))
	case LaunchChild:
		return fmt.Sprintf("> launch %s %d on the connection of %s, process of %s", e.ID, e.Start.Incarnation, e.Parent, e.Process)
	case Exited:
		return fmt.Sprintf("> to %s: exit of %d, %s%s%s%s", e.ID, e.Incarnation, e.Exit.Error, when(e.Exit.Requested, "requested"), when(e.Exit.Held, "held"), when(e.Exit.Drained, "drained"))
	case StartLater:
		return fmt.Sprintf("> start %s %d after %v", e.ID, e.Start.Incarnation, e.Delay)
	case AdoptAgain:
		return fmt.Sprintf("> adopt %s of %s again, where a connection waits", e.Child.ChildID, e.Parent)
	case Show:
		return fmt.Sprintf("> show %s%s%s%s", e.ID, when(e.Entry.Takes, "taking"), when(e.Entry.Owner != "", "of "+e.Entry.Owner), when(e.Entry.Ended, "ended")+when(e.Entry.Pinned, "pinned"))
	case Note:
		k := &e.Kept
		return fmt.Sprintf("> note %s %s%s%s%s, %s, boot %s, incarnation %d, synced %d", e.ID, k.Summary.Status.State, when(k.Open, "open"), when(k.Untold, "untold"),
			when(e.Safely, "safely"), k.Durability, k.Boot, k.Incarnation, k.Synced) + past(k.Past)
	case Remove:
		leaves := ""
		if l := e.Leaves; l != nil {
			leaves = fmt.Sprintf(", leaves %d tokens%s%s", l.Use.Tokens, when(l.Parent != "", "below "+l.Parent), when(l.Owner != "", "of "+l.Owner))
		}
		if e.Aside != "" {
			return fmt.Sprintf("> set %s aside as %s%s", e.ID, e.Aside, leaves)
		}
		return fmt.Sprintf("> remove {ID:%s Agent:%s NativeID:%s Foreign:%v}%s", e.ID, e.Agent, e.NativeID, e.Foreign, leaves)
	case Measure:
		return "> measure " + strings.Join(e.IDs, " ")
	case Discarding:
		return fmt.Sprintf("> discard %s for its %s, %d bytes", e.ID, e.Why, e.Bytes)
	case DropArchive:
		return fmt.Sprintf("> drop the native lines of %s for %s, %d bytes", e.ID, e.Why, e.Bytes)
	case ClockStepped:
		return fmt.Sprintf("> the clock stepped by %v", e.By)
	case Keep:
		return "> keep " + kept(e.Line)
	case OwnerSet:
		return fmt.Sprintf("= %d once kept: %s", e.Ticket, kept(e.Line))
	default:
		name, _ := strings.CutPrefix(fmt.Sprintf("%T", e), "core.")
		return "> " + strings.ToLower(name) + strings.TrimRight(fmt.Sprintf(" %+v", e), " ")
	}
}

// when is a word behind others where it is so.
func when(is bool, word string) string {
	if is {
		return " " + word
	}
	return ""
}

func wake(e *Wake) string {
	text := fmt.Sprintf("wake %s, life %d, least %d%s%s", e.ID, e.Life, e.Least, when(e.PowerLoss, "power lost"), when(e.Safely, "once noted"))
	if e.Rejoin {
		return text + fmt.Sprintf(", with its agent %d%s", e.Recover.Incarnation, when(e.Poisoned, "poisoned"))
	}
	return text + fmt.Sprintf(": %s%s%s, incarnation %d", e.Recover.Reason, when(e.Recover.Resume, "resume"), when(e.Recover.Told, "told"), e.Recover.Incarnation)
}

func letter(l Letter) string {
	if l.Input == nil {
		return fmt.Sprintf("question %d", l.Ticket)
	}
	text := strings.TrimPrefix(fmt.Sprintf("%T", l.Input), "*core.")
	switch in := l.Input.(type) {
	case *session.ChildSpawned:
		text += " " + in.ChildID
	case *session.ChildGone:
		text += " " + in.ChildID
	case *session.ChildNews:
		text += " " + in.ChildID
	case *session.ChildAsks:
		text += " " + in.ChildID + when(in.Apart, "apart")
	case *session.BudgetMarks:
		text += when(in.Cost, "with a limit of cost")
	case *session.End:
		text += " (" + in.Reason + ")"
	default:
	}
	return text
}

func problem(err error) string {
	if p, ok := errors.AsType[*protocol.Problem](err); ok {
		return fmt.Sprintf("%s: %s", p.Code, p.Detail)
	}
	return err.Error()
}

// past is what a record has of removed sessions.
func past(p *budget.Use) string {
	if p == nil {
		return ""
	}
	return fmt.Sprintf(", %d tokens of removed ones below it", p.Tokens)
}

// kept is a line of what is kept, as its file has it.
func kept(l budget.Line) string {
	text, err := json.Marshal(&l)
	if err != nil {
		return err.Error()
	}
	return string(text)
}
