package core

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// shadow is a state that is restored from what was saved at every step: it must stay the one that lives, and be as a replay would make it.
type shadow struct {
	state  *State
	log    []protocol.Event
	frames frames
}

// step has the shadow take the events of a step, and be saved and restored behind it.
func (w *shadow) step(t interface{ Fatalf(string, ...any) }, live *State, in Input, events []protocol.Event) {
	if w.state == nil {
		w.state = New(live.id, live.limits)
	}
	for i := range events {
		e, err := protocol.Decode(protocol.Append(nil, &events[i])) // as a start reads it
		if err != nil {
			t.Fatalf("%v", err)
		}
		w.log = append(w.log, e)
		w.state.Replay(&e)
	}
	want, got := live.Save(), w.state.Save()
	if !bytes.Equal(want, got) {
		t.Fatalf("after %T the state that lives would be saved as\n%s\nand the one that was restored as\n%s", in, want, got)
	}
	w.state = New(live.id, live.limits)
	if err := w.state.Restore(want); err != nil {
		t.Fatalf("after %T: %v\n%s", in, err, want)
	}
	w.frames.step(t, live, w.state, events)
}

// compare holds the state that was restored at every step against a replay of the whole log, field by field.
func (w *shadow) compare(t interface{ Fatalf(string, ...any) }) {
	if w.state == nil {
		return
	}
	replayed := New(w.state.id, w.state.limits)
	for i := range w.log {
		replayed.Replay(&w.log[i])
	}
	for _, s := range []*State{replayed, w.state} {
		s.undone.all, s.entries.last, s.entries.lastID = nil, nil, entryOf{} // found again when they are wanted
		if s.news != nil {
			s.news.passed = 0 // First has it set (news.known, news.again)
		}
		empty(reflect.ValueOf(&s.logged).Elem(), map[unsafe.Pointer]bool{})
		s.of = nil
	}
	if !reflect.DeepEqual(&replayed.logged, &w.state.logged) {
		t.Fatalf("replayed\n%s\nrestored\n%s", replayed.deep(), w.state.deep())
	}
}

func (s *State) deep() string { return fmt.Sprintf("%+v", s.logged) }

// empty makes maps and lists without members nil, and gives payloads the form that they have after a journey through the log.
func empty(v reflect.Value, seen map[unsafe.Pointer]bool) {
	if v.CanAddr() && !v.CanSet() {
		v = reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Elem()
	}
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() && !seen[v.UnsafePointer()] && v.Type() != reflect.TypeFor[*State]() {
			seen[v.UnsafePointer()] = true
			empty(v.Elem(), seen)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			empty(v.Field(i), seen)
		}
	case reflect.Map:
		if v.Len() == 0 && v.CanSet() {
			v.SetZero()
			return
		}
		for _, k := range v.MapKeys() {
			if e := v.MapIndex(k); e.Kind() == reflect.Pointer {
				empty(e, seen)
			}
		}
	case reflect.Slice:
		if v.Len() == 0 && v.CanSet() {
			v.SetZero()
			return
		}
		for i := range v.Len() {
			empty(v.Index(i), seen)
		}
	default:
	}
}

// TestSavedShape fails when the state has come to know more, or other, than what savedVersion stands for.
// Proves: I15.1/version
func TestSavedShape(t *testing.T) {
	byField := []reflect.Type{
		reflect.TypeFor[protocol.Spent](), reflect.TypeFor[protocol.Usage](), reflect.TypeFor[protocol.LastTurn](),
		reflect.TypeFor[protocol.Frame](), reflect.TypeFor[protocol.Told](), reflect.TypeFor[protocol.EpochStart](),
	}
	var b strings.Builder
	seen := map[reflect.Type]bool{}
	var tell func(reflect.Type)
	tell = func(of reflect.Type) {
		switch of.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Array:
			tell(of.Elem())
		case reflect.Map:
			tell(of.Key())
			tell(of.Elem())
		case reflect.Struct:
			// What is kept in the form of the log keeps its new members by itself.
			if logged := strings.HasPrefix(of.String(), "protocol."); seen[of] || logged && !slices.Contains(byField, of) {
				return
			}
			seen[of] = true
			for i := range of.NumField() {
				f := of.Field(i)
				fmt.Fprintf(&b, "%s.%s %s\n", of, f.Name, f.Type)
				tell(f.Type)
			}
		default:
		}
	}
	tell(reflect.TypeFor[logged]())
	h := fnv.New64a()
	h.Write([]byte(b.String()))
	const was = "4:4e87c057e02c8008"
	if got := fmt.Sprintf("%d:%x", savedVersion, h.Sum64()); got != was {
		t.Errorf("the state is %s, and was %s. Have Save and Restore keep what is new, raise savedVersion, and put this here.\n%s", got, was, b.String())
	}
}

// TestRestoreRefuses gives Restore what is no state of this session.
// Proves: I15.1/refused
func TestRestoreRefuses(t *testing.T) {
	w := newWorld(t)
	ready(w)
	w.step(prompt("hello", ""))
	whole := w.core.Save()
	other := bytes.ReplaceAll(whole, []byte(`\"sessionId\":\"s1\"`), []byte(`\"sessionId\":\"s2\"`))
	if bytes.Equal(other, whole) {
		t.Fatalf("the state does not name its session: %s", whole)
	}
	for name, data := range map[string][]byte{
		"another session's": other,
		"nothing":           nil,
		"cut":               whole[:len(whole)/2],
		"another version":   bytes.Replace(whole, fmt.Appendf(nil, `"Version":%d`, savedVersion), []byte(`"Version":0`), 1),
		"no payload":        bytes.Replace(whole, []byte(`\"type\":\"session_start\"`), []byte(`\"type\":\"turn_start\"`), 1),
	} {
		if err := New("s1", testLimits()).Restore(data); err == nil {
			t.Errorf("%s was taken", name)
		}
	}
	if err := New("s1", testLimits()).Restore(whole); err != nil {
		t.Error(err)
	}
}

// TestDenialIsRestored has a person deny what the agent of a running turn asks: a state that is restored then knows why the turn is interrupted.
// Proves: I15.1/restored
func TestDenialIsRestored(t *testing.T) {
	w := newWorld(t)
	ready(w)
	w.step(prompt("go", ""))
	asked := askFor(1)
	asked.Request.Options = append(asked.Request.Options, protocol.Option{ID: protocol.DenyStop})
	w.say(adapters.TurnBegan{}, asked)
	w.step(&Resolve{RequestID: protocol.RequestID(w.incarnation, 1), Outcome: protocol.OutcomeDenied, Option: protocol.DenyStop, By: "client:1"})
	if w.core.turn == nil || !w.core.turn.denied {
		t.Fatalf("the turn is %+v\n%s", w.core.turn, w.text())
	}
	w.say(text(5)) // a step of the state that was restored
	if w.shadow.state.turn == nil || !w.shadow.state.turn.denied {
		t.Fatalf("the turn is restored as %+v", w.shadow.state.turn)
	}
}

// TestCostIsANumber has an agent tell of costs that no number holds together: the sum stays one, and the state can be kept.
// Proves: I15.1/restored
func TestCostIsANumber(t *testing.T) {
	w := newWorld(t)
	ready(w)
	for range 3 {
		w.say(adapters.Used{Usage: protocol.TokenUsage{Cost: &protocol.Cost{Total: 1e308}}})
	}
	if w.core.cost != 1e308 || w.core.Save() == nil {
		t.Errorf("the cost is %v", w.core.cost)
	}
}
