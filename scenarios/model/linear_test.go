package model_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/disk"

	"github.com/anishathalye/porcupine"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
	"github.com/ringmaster-agents/ringmaster/scenarios/model"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

const (
	clients  = 8
	eachDoes = 5
)

// call is one question of a client, or a word of the agent: what it is in words, what it does to the model, and what a client saw.
type call struct {
	words string
	do    func(*model.Session) model.Answer // nil: it reads
	seen  seen
}

// seen is what a client was answered: a word of the agent has no answer, a list little.
type seen struct {
	nothing bool
	answer  model.Answer
	state   protocol.State // of a get and a list
	queue   string         // the prompts' ids; of a list their number
	asked   int            // of a get: open requests
}

// glimpse is what a get shows of the model, and a list.
func glimpse(s *model.Session, list bool) seen {
	var ids []string
	for _, p := range s.Queue {
		ids = append(ids, p.ID)
	}
	if list {
		return seen{state: s.State(), queue: strconv.Itoa(len(ids))}
	}
	g := seen{state: s.State(), queue: strings.Join(ids, " ")}
	for _, i := range s.Items {
		if i.Status == "" && (i.Kind == model.Approval || i.Kind == model.Question) {
			g.asked++
		}
	}
	return g
}

func clone(s *model.Session) *model.Session {
	c := *s
	c.Items, c.Queue, c.Told = slices.Clone(s.Items), slices.Clone(s.Queue), nil
	c.Keys = make(map[string]model.Prompt, len(s.Keys))
	for k, p := range s.Keys {
		c.Keys[k] = p
	}
	return &c
}

// sequential is the model as porcupine wants it. Its state is a *model.Session.
func sequential(begin *model.Session) porcupine.Model {
	return porcupine.Model{
		Init: func() any { return begin },
		Step: func(state, input, _ any) (bool, any) {
			s, c := state.(*model.Session), input.(*call)
			if c.do == nil {
				return glimpse(s, c.words == "list") == c.seen, s
			}
			s = clone(s)
			answer := c.do(s)
			return c.seen.nothing || answer == c.seen.answer, s
		},
		Equal: func(a, b any) bool { return reflect.DeepEqual(a, b) },
		DescribeOperation: func(input, _ any) string {
			c := input.(*call)
			return fmt.Sprintf("%s: %+v", c.words, c.seen)
		},
	}
}

// history is what all clients did, in a time of its own: virtual time stands still while they do it.
type history struct {
	clock atomic.Int64
	mu    sync.Mutex
	list  []porcupine.Operation
}

func (h *history) run(client int, c *call, do func() seen) {
	op := porcupine.Operation{ClientId: client, Input: c, Call: h.clock.Add(1)}
	c.seen = do()
	op.Return = h.clock.Add(1)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.list = append(h.list, op)
}

// contest is one session and those who want different things of it at once.
type contest struct {
	history
	d  *daemon
	id string
}

// ask makes a client's call: what it asks over HTTP, and what that does to the model.
func (x *contest) ask(client int, rnd *rand.Rand) {
	pick := func(list ...string) string { return list[rnd.IntN(len(list))] }
	post := func(words, method, path, body string, do func(*model.Session) model.Answer, header ...string) {
		c := &call{words: words, do: do}
		x.run(client, c, func() seen {
			r := x.d.do(context.Background(), method, "/sessions/"+x.id+path, body, header...)
			return seen{answer: answerOf(&r)}
		})
	}
	prompt := fmt.Sprintf("p%d", 1+rnd.IntN(6))
	switch rnd.IntN(20) {
	case 0, 1, 2, 3:
		p := model.Prompt{Text: pick("a", "b"), Behavior: protocol.Behavior(pick("followUp", "steer"))}
		key := pick("", "k1", "k2")
		post(fmt.Sprintf("prompt %s %s key %q", p.Text, p.Behavior, key), "POST", "/prompts",
			fmt.Sprintf(`{"text":%q,"streamingBehavior":%q}`, p.Text, p.Behavior),
			func(s *model.Session) model.Answer { return s.Send(p, key) }, "Idempotency-Key", key)
	case 4, 5:
		post("cancel "+prompt, "DELETE", "/prompts/"+prompt, "", func(s *model.Session) model.Answer { return s.Move(prompt, 0) })
	case 6, 7:
		to := 1 + rnd.IntN(4)
		post(fmt.Sprintf("move %s to %d", prompt, to), "POST", "/prompts/"+prompt+"/move", fmt.Sprintf(`{"position":%d}`, to), func(s *model.Session) model.Answer {
			a := s.Move(prompt, to)
			if a.Code == "" {
				a.Prompt = prompt
			}
			return a
		})
	case 8, 9, 10, 11:
		id, outcome, by := pick("r1", "r2", "r3"), pick("allowed", "denied", "cancelled"), fmt.Sprintf("c%d", client)
		post("answer "+id+" "+outcome, "POST", "/requests/"+id, fmt.Sprintf(`{"outcome":%q,"clientId":%q}`, outcome, by),
			func(s *model.Session) model.Answer { return s.Answer(id, "client:"+by, outcome, "") })
	case 12, 13:
		post("interrupt", "POST", "/interrupt", "", (*model.Session).Interrupt)
	case 14:
		if rnd.IntN(3) == 0 {
			x.end(client)
		}
	case 15, 16:
		x.look(client, "list")
	default:
		x.look(client, "get")
	}
}

// end ends the session, which is two things: from the first on it takes no prompts, with the second it has ended.
func (x *contest) end(client int) {
	asked := &call{words: "end is asked for", do: func(s *model.Session) model.Answer {
		s.Ends()
		return model.Answer{}
	}}
	over := &call{words: "end", do: func(s *model.Session) model.Answer {
		if !s.Ending() {
			return model.Answer{Code: "not yet"}
		}
		return s.Finish()
	}}
	x.run(client, asked, func() (both seen) {
		x.run(client+clients+1, over, func() seen {
			r := x.d.do(context.Background(), "POST", "/sessions/"+x.id+"/end", "")
			both = seen{answer: answerOf(&r)}
			return both
		})
		return both
	})
}

// look makes a call that reads.
func (x *contest) look(client int, words string) {
	x.run(client, &call{words: words}, func() seen {
		if words == "get" {
			r := x.d.do(context.Background(), "GET", "/sessions/"+x.id, "")
			var d resource.SessionDetail
			if err := json.Unmarshal(r.body, &d); err != nil {
				return seen{queue: string(r.body)}
			}
			var ids []string
			for i := range d.Queue {
				ids = append(ids, d.Queue[i].PromptID)
			}
			return seen{state: d.Status.State, queue: strings.Join(ids, " "), asked: len(d.Requests)}
		}
		r := x.d.do(context.Background(), "GET", "/sessions", "")
		var page struct{ Sessions []resource.SessionSummary }
		if err := json.Unmarshal(r.body, &page); err != nil || len(page.Sessions) != 1 {
			return seen{queue: string(r.body)}
		}
		return seen{state: page.Sessions[0].Status.State, queue: strconv.Itoa(page.Sessions[0].Status.QueuedPrompts)}
	})
}

// word is the agent's: what it says, at some time from now on.
func (x *contest) word(words string, do func(*model.Session), drafts ...adapters.Draft) {
	c := &call{words: "the agent " + words, seen: seen{nothing: true}, do: func(s *model.Session) model.Answer {
		do(s)
		return model.Answer{}
	}}
	op := porcupine.Operation{ClientId: clients, Input: c, Call: x.clock.Add(1), Return: 1 << 40}
	x.mu.Lock()
	x.list = append(x.list, op)
	x.mu.Unlock()
	x.d.stage.say(x.id, drafts...)
}

func answerOf(r *reply) model.Answer {
	var b struct {
		PromptID, TurnID, Outcome, Option, By string
		Position                              int
		Repeated                              bool
	}
	if len(r.body) > 0 && json.Unmarshal(r.body, &b) != nil {
		b.PromptID = string(r.body)
	}
	return model.Answer{
		Code: r.code(), Prompt: b.PromptID, Turn: b.TurnID, Position: b.Position, Repeated: b.Repeated,
		Outcome: b.Outcome, Option: b.Option, By: b.By,
	}
}

// TestLinearizable lets eight clients and an agent act on one session at once, and looks for an order in which every answer is
// the model's.
func TestLinearizable(t *testing.T) {
	some := 50
	if testing.Short() {
		some = 20
	}
	runs, seed := number(t, "RINGMASTER_MODEL_HISTORIES", some), uint64(number(t, "RINGMASTER_MODEL_SEED", int(time.Now().UnixNano()&0xffffff)))
	var e *edge
	for i := range uint64(runs) {
		if i%500 == 0 { // a principal makes 1,000 sessions at once, and each history begins at the same time
			var err error
			if e, err = newEdge(); err != nil {
				t.Fatal(err)
			}
		}
		synctest.Test(t, func(t *testing.T) { linearizable(t, e, seed+i) })
		if t.Failed() {
			t.Fatalf("seed %d. Again, as far as the scheduler allows:\nRINGMASTER_MODEL_SEED=%d RINGMASTER_MODEL_HISTORIES=200 go test -run TestLinearizable ./scenarios/model", seed+i, seed+i)
		}
		histories.Add(1)
	}
}

func number(t *testing.T, name string, byDefault int) int {
	text := os.Getenv(name)
	if text == "" {
		return byDefault
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return n
}

func linearizable(t *testing.T, e *edge, seed uint64) {
	d := &daemon{life: lives.Add(1), dir: t.TempDir(), root: t.TempDir(), edge: e, stage: newStage(), disk: &fullDisk{FS: disk.OS()}, durability: supervisor.DurableInterval}
	if seed%2 == 0 {
		d.durability = supervisor.DurableAlways
	}
	if err := d.start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := d.drain(); err != nil {
			t.Error(err)
		}
		time.Sleep(2 * time.Minute) // virtual: timers that outlive the session
	}()
	x := &contest{d: d, id: d.nextID(1)}
	begin := model.New(1)
	x.prepare(t, begin)
	var wg sync.WaitGroup
	for client := range clients {
		rnd := rand.New(rand.NewPCG(seed, uint64(client)))
		wg.Go(func() {
			for range eachDoes {
				x.ask(client, rnd)
			}
		})
	}
	rnd := rand.New(rand.NewPCG(seed, clients))
	wg.Go(func() {
		x.look(clients, "get")
		switch rnd.IntN(3) { // one word: of two it is not known whether they come together
		case 0:
			x.word("ends its turn", func(s *model.Session) { s.TurnEnded(protocol.TurnCompleted, 0) }, adapters.TurnEnded{Status: protocol.TurnCompleted})
		case 1:
			x.word("withdraws a request", func(s *model.Session) { s.Withdraws(2) }, adapters.RequestClosed{Key: 2, Outcome: protocol.OutcomeCancelled})
		default:
		}
	})
	wg.Wait()
	synctest.Wait()
	x.look(0, "get")
	switch result, _ := porcupine.CheckOperationsVerbose(sequential(begin), x.list, 20*time.Second); result {
	case porcupine.Ok:
	case porcupine.Unknown:
		t.Error("no order was found in time")
	default:
		slices.SortFunc(x.list, func(a, b porcupine.Operation) int { return int(a.Call - b.Call) })
		for _, op := range x.list {
			c := op.Input.(*call)
			t.Logf("client %d, %d to %d: %s: %+v", op.ClientId, op.Call, op.Return, c.words, c.seen)
		}
		t.Error("the answers have no order in which they are right")
	}
}

// prepare makes the session, with a turn at work that has asked three times.
func (x *contest) prepare(t *testing.T, m *model.Session) {
	r := x.d.do(context.Background(), "POST", "/sessions", fmt.Sprintf(`{"agent":"puppet","cwd":%q}`, x.d.root))
	if r.status != 201 {
		t.Fatalf("%d %s", r.status, r.body)
	}
	m.Started()
	m.IsReady()
	x.d.do(context.Background(), "POST", "/sessions/"+x.id+"/prompts", `{"text":"a"}`)
	m.Send(model.Prompt{Text: "a"}, "")
	x.d.stage.say(x.id, adapters.TurnBegan{})
	m.TurnBegan()
	for key := 1; key <= 3; key++ {
		x.d.stage.say(x.id, adapters.RequestOpened{Key: adapters.RequestKey(key), Request: approval})
		m.Begins(model.Item{Kind: model.Approval, Key: key, ID: fmt.Sprintf("r%d", key)})
	}
	synctest.Wait()
}
