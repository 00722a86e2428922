package console

import (
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/scenarios/leaks"
)

func TestMain(m *testing.M) { leaks.Main(m) }

// Tables and answers are harmless, too.
func TestPrintingIsHarmless(t *testing.T) {
	var b strings.Builder
	var tab Table
	tab.Add("a\x1b[31m", "b\u202e", "c\n\u009b"+strings.Repeat("x", 90))
	if err := tab.Print(&b); err != nil {
		t.Fatal(err)
	}
	if err := PrintJSON(&b, []byte(`{"t":"a\u001b`+"\u009b\u202e\u007f"+`<b>"}`)); err != nil {
		t.Fatal(err)
	}
	want := `a\x1b[31m  b\u202e  c\n\u009b` + strings.Repeat("x", 90) + "\n{\n  \"t\": \"a\\u001b\\u009b\\u202e\\u007f<b>\"\n}\n"
	if b.String() != want {
		t.Errorf("got\n%q\nwant\n%q", b.String(), want)
	}
	if err := PrintJSON(&b, []byte("{")); err == nil {
		t.Error("half an object was printed")
	}
}
