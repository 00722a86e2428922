package session

import (
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

func TestPickOption(t *testing.T) {
	known := []protocol.Option{{ID: "q1-o1", Label: "Yes, all of them"}, {ID: "q1-o2", Label: "No"}, {ID: "1", Label: "One"}}
	for name, want := range map[string]string{
		"yes, ALL of them": "q1-o1",
		"Yes, all of them": "q1-o1",
		"2":                "q1-o2",
		"1":                "1", // an id goes before a number
		"No,q1-o1":         "q1-o2 q1-o1",
		"3":                "1",
		"No,2":             "",
		"4":                "",
		"0":                "",
	} {
		got, err := pickSome(known, name)
		if strings.Join(got, " ") != want || (err != nil) != (want == "") {
			t.Errorf("%q: %q, %v; want %q", name, got, err, want)
		}
	}
}
