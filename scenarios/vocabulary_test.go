package scenarios

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/adapters/scripted"
)

// vocabulary is every verb there is; doc.go explains each. The first form that matches counts.
func vocabulary() []verb {
	return []verb{
		{"given", "session NAME [agent AGENT] [with FILE]", (*world).session},
		{"given", "child NAME of SESSION called NATIVE", (*world).child},
		{"given", "stream NAME on SESSION [since CURSOR]", (*world).stream},
		{"given", "mcp NAME [at REVISION] [of SESSION]", (*world).mcp},
		{"given", "poller NAME on SESSION [by CLIENT]", (*world).poller},
		{"given", "script FILE [for AGENT]", (*world).script},
		{"given", "limit NAME VALUE", (*world).limit},

		{"when", "agent SESSION writes WHAT [bytes without newline]", (*world).agentWrites},
		{"when", "agent SESSION exits HOW", (*world).agentExits},
		{"when", "prompt SESSION TEXT [steer] [follow-up] [key KEY] [by CLIENT]", (*world).prompt},
		{"when", "cancel SESSION PROMPT", (*world).cancel},
		{"when", "answer SESSION REQUEST FILE", (*world).answer},
		{"when", "interrupt SESSION", (*world).interrupt},
		{"when", "end SESSION", (*world).end},
		{"when", "clock HOW DURATION", (*world).clock},
		{"when", "NAME sets level LEVEL", (*world).setsLevel},
		{"when", "NAME watches SESSION [since INDEX]", (*world).watches},
		{"when", "NAME subscribes to SESSION", (*world).subscribes},
		{"when", "NAME calls TOOL [with FILE] [making SESSION]", (*world).calls},
		{"when", "NAME disconnects", (*world).disconnects},
		{"when", "NAME reconnects [anew] [from CURSOR]", (*world).reconnects},
		{"when", "NAME stops reading", (*world).stopsReading},
		{"when", "poll NAME [since INDEX] [max N]", (*world).poll},
		{"when", "daemon restarts", (*world).restarts},
		{"when", "daemon is killed [mid write] [losing N events]", (*world).killed},
		{"when", "http METHOD PATH [FILE]", (*world).http},

		{"then", "log SESSION [since CURSOR] equals FILE", (*world).logEquals},
		{"then", "NAME received FILE", (*world).received},
		{"then", "answer is CODE [FILE]", (*world).answerIs},
		{"then", "agent SESSION heard FILE", (*world).heard},
		{"then", "SESSION is STATE", (*world).is},
		{"then", "count of TYPE in SESSION is N", (*world).count},
		{"then", "items of SESSION [as pushed] equal FILE", (*world).itemsEqual},
		{"then", "state of SESSION [at CURSOR] equals FILE", (*world).stateEquals},
		{"then", "reconstruction of SESSION equals reconstruction of NAME", (*world).reconstruction},
	}
}

func (w *world) session(a args) error {
	agent := a["AGENT"]
	if agent == "" {
		agent = scripted.Name
	}
	body := map[string]any{"agent": agent, "cwd": w.root}
	if a["FILE"] != "" {
		if err := json.Unmarshal(w.data(a["FILE"]), &body); err != nil {
			return err
		}
	}
	made, err := w.post("/sessions", nil, body)
	if err == nil {
		err = made.wantSuccess()
	}
	if err != nil {
		return err
	}
	var s struct {
		ID string `json:"id"`
	}
	if err := json.Unmarshal(made.body, &s); err != nil {
		return err
	}
	w.named(a["NAME"], s.ID)
	return nil
}

// named gives a session the name that steps use.
func (w *world) named(name, id string) {
	w.order = append(w.order, name)
	w.sessions[name] = id
	if w.loose {
		w.aliases = append(w.aliases, id, fmt.Sprintf("00000000-0000-4000-8000-%012d", len(w.order)))
	}
}

// child names the session of a sub-agent, which is there or will be.
func (w *world) child(a args) error {
	w.order = append(w.order, a["NAME"])
	parent := w.id(a["SESSION"])
	id := session.ChildID(parent, a["NATIVE"])
	w.sessions[a["NAME"]] = id
	if i := slices.Index(w.aliases, parent); w.loose && i >= 0 {
		w.aliases = append(w.aliases, id, session.ChildID(w.aliases[i+1], a["NATIVE"]))
	}
	return nil
}

func (w *world) stream(a args) error {
	if w.streams[a["NAME"]] != nil {
		return fmt.Errorf("there is a stream %s already; it can reconnect", a["NAME"])
	}
	s := w.newStream(a["SESSION"])
	w.streams[a["NAME"]] = s
	return s.open(a["CURSOR"], "")
}

func (w *world) poller(a args) error {
	p := &poller{session: a["SESSION"], page: page{LastIndex: -1}}
	if a["CLIENT"] != "" {
		c, err := w.client(a["CLIENT"])
		if err != nil {
			return err
		}
		p.client = c
	}
	w.pollers[a["NAME"]] = p
	return w.ensure()
}

func (w *world) limit(a args) error {
	w.limits[a["NAME"]] = a["VALUE"]
	b, bubbled := w.daemon.(*bubble)
	switch {
	case !bubbled:
		return fmt.Errorf("limits can be set in the bubble only")
	case !w.started:
		return nil
	case a["NAME"] == "disk":
		return b.disk.set(a["VALUE"])
	}
	return fmt.Errorf("limits other than disk come before the first step that needs the daemon")
}
