package scripted

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
)

// form is what the lines of one kind may and must have: path and type of each member.
type form struct{ may, must map[string]bool }

var forms = sync.OnceValues(func() (map[string]form, error) {
	text, err := os.ReadFile("testdata/forms.txt")
	if err != nil {
		return nil, err
	}
	out := map[string]form{}
	var f form
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		member, ok := strings.CutPrefix(line, "\t")
		switch {
		case strings.HasPrefix(line, "#"):
		case !ok:
			f = form{map[string]bool{}, map[string]bool{}}
			out[line] = f
		default:
			path, must := strings.CutPrefix(member, "!")
			f.may[path] = true
			if must {
				f.must[path] = true
			}
		}
	}
	return out, nil
})

// unseen are members that the recordings do not show and Pi's source has.
var unseen = map[string]string{
	"message_start user": ".message.content[].data string|.message.content[].mimeType string",
	"message_end user":   ".message.content[].data string|.message.content[].mimeType string",
}

// unseenKinds are lines that the recordings do not show and Pi's source has.
var unseenKinds = map[string]bool{
	"extension_ui_request input":  true,
	"extension_ui_request editor": true,
	"response get_entries error":  true,
}

// sometimes are members that all recordings have by their circumstances only.
var sometimes = map[string]bool{
	".data.sessionFile string":           true, // without a session folder there is none
	".usage.cost.totalFromProvider bool": true, // no thinking was aborted
	".usage.reasoning number":            true,
}

// checkForms compares every line of a transcript with what the real agent was seen to say.
func checkForms(t *testing.T, transcript []byte) {
	t.Helper()
	known, err := forms()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(transcript)) {
		_, text, _ := strings.Cut(strings.TrimSpace(line), " ")
		var v map[string]any
		if json.Unmarshal([]byte(text), &v) != nil {
			continue // a fault, on purpose
		}
		kind := kindOf(v)
		f, ok := known[kind]
		if !ok {
			if !unseenKinds[kind] {
				t.Errorf("the real agent was never seen to say %q: %s", kind, text)
			}
			continue
		}
		has := map[string]bool{}
		members(v, "", has)
		for m := range has {
			if !f.may[m] && !strings.Contains(unseen[kind], m) {
				t.Errorf("%s: the real agent was never seen to say %s: %.200s", kind, m, text)
			}
		}
		for m := range f.must {
			if !has[m] && !sometimes[m] {
				t.Errorf("%s: the real agent always says %s: %.200s", kind, m, text)
			}
		}
	}
}

func kindOf(v map[string]any) string {
	kind, _ := v["type"].(string)
	switch kind {
	case "response":
		command, ok := v["command"].(string)
		if !ok {
			command = "None"
		}
		if v["success"] == true {
			return kind + " " + command + " ok"
		}
		return kind + " " + command + " error"
	case "message_start", "message_end":
		m, _ := v["message"].(map[string]any)
		return fmt.Sprint(kind, " ", m["role"])
	case "message_update":
		m, _ := v["assistantMessageEvent"].(map[string]any)
		return fmt.Sprint(kind, " ", m["type"])
	case "extension_ui_request":
		return fmt.Sprint(kind, " ", v["method"])
	}
	return kind
}

func members(v any, path string, into map[string]bool) {
	note := func(kind string) {
		if path != "" {
			into[path+" "+kind] = true
		}
	}
	switch v := v.(type) {
	case map[string]any:
		note("object")
		for name, member := range v {
			switch name {
			case "arguments", "args", "sections", "parameters":
				into[path+"."+name+" object"] = true
			default:
				members(member, path+"."+name, into)
			}
		}
	case []any:
		note("array")
		for _, member := range v {
			members(member, path+"[]", into)
		}
	case bool:
		note("bool")
	case float64:
		note("number")
	case string:
		note("string")
	case nil:
		note("null")
	}
}
