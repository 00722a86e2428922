package adapter

import (
	"strconv"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

func TestToldIsBounded(t *testing.T) {
	var told told
	for i := range 3 * maxTold {
		if !told.first(adapters.Prompt{ID: "p" + strconv.Itoa(i)}) {
			t.Fatalf("prompt %d was not told", i)
		}
	}
	if len(told.known) != maxTold || len(told.order) != maxTold {
		t.Fatalf("%d ids are kept", len(told.known))
	}
	if told.first(adapters.Prompt{ID: "p" + strconv.Itoa(3*maxTold-1)}) {
		t.Fatal("told twice")
	}
	if !told.first(adapters.Answer{Key: 1}) || told.first(adapters.Answer{Key: 1}) {
		t.Fatal("an answer is told once")
	}
	if !told.first(adapters.Interrupt{}) || !told.first(adapters.Interrupt{}) {
		t.Fatal("interrupts are not counted")
	}
}
