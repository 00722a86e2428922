package api

import (
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/api/schema"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

func specText(t *testing.T) string {
	t.Helper()
	b, err := os.ReadFile("../protocol/spec.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func specSection(t *testing.T, number string) string {
	t.Helper()
	_, text, ok := strings.Cut(specText(t), "\n### "+number+" ")
	if !ok {
		t.Fatalf("spec.md has no section %s", number)
	}
	text, _, _ = strings.Cut(text, "\n#")
	return text
}

var (
	specMember = regexp.MustCompile("`(\\w+)(\\??)`(?:: ([a-z_, ]+?)(?:;|$))?")
	inBrackets = regexp.MustCompile(`\([^)]*\)`)
)

// TestTheDescriptionSaysWhatTheSpecSays: the members that the tables of spec.md have, those that may be missing, and the words of
// closed lists, are those of the description.
func TestTheDescriptionSaysWhatTheSpecSays(t *testing.T) {
	doc := loadSpec(t)
	compared := 0
	compare := func(schema, text string, own ...string) {
		t.Helper()
		s := doc.Components.Schemas[schema]
		if s == nil {
			t.Errorf("there is no schema %s", schema)
			return
		}
		compared++
		named := slices.Clone(own)
		for _, m := range specMember.FindAllStringSubmatch(inBrackets.ReplaceAllString(text, ""), -1) {
			name, optional := m[1], m[2] == "?"
			named = append(named, name)
			p := s.Value.Properties[name]
			if p == nil {
				t.Errorf("%s: %s stands in spec.md alone", schema, name)
				continue
			}
			if slices.Contains(s.Value.Required, name) == optional {
				t.Errorf("%s: %s is required here %v, may be missing in spec.md %v", schema, name, !optional, optional)
			}
			words := regexp.MustCompile(`, | or `).Split(m[3], -1)
			if m[3] == "" || len(words) < 2 {
				continue
			}
			var enum []string
			for _, w := range p.Value.Enum {
				enum = append(enum, w.(string))
			}
			if !slices.Equal(enum, words) {
				t.Errorf("%s: %s is one of %v, in spec.md of %v", schema, name, enum, words)
			}
		}
		for name := range s.Value.Properties {
			if !slices.Contains(named, name) {
				t.Errorf("%s: %s does not stand in spec.md", schema, name)
			}
		}
	}
	rows := regexp.MustCompile("(?m)^\\| (`[a-z_`, ]+`) \\| ([^|]*)")
	for _, number := range []string{"4.1", "4.2", "4.3", "4.8", "4.9"} {
		for _, row := range rows.FindAllStringSubmatch(specSection(t, number), -1) {
			compare(pascal(strings.Trim(row[1], "`"))+"Event", row[2], "seq", "ts", "type")
		}
	}
	for name, number := range map[string]string{"token_usage": "4.7", "status": "6.1", "budget": "4.12"} { // in sentences
		_, text, _ := strings.Cut(specSection(t, number), "`"+name+"`: ")
		text, _, _ = strings.Cut(text, ".")
		compare(pascal(name)+"Event", text, "seq", "ts", "type")
	}
	for _, row := range rows.FindAllStringSubmatch(specSection(t, "4.5"), -1) {
		for kind := range strings.SplitSeq(row[1], ", ") {
			entry := doc.Components.Schemas[pascal(strings.Trim(kind, "`"))+"Entry"]
			if entry == nil {
				t.Errorf("there is no entry %s", kind)
				continue
			}
			compare(strings.TrimPrefix(entry.Value.Properties["data"].Ref, schema.Prefix), row[2])
		}
	}
	for _, row := range rows.FindAllStringSubmatch(specSection(t, "4.6"), -1) {
		compare(pascal(strings.Trim(row[1], "`")), row[2], "op")
	}
	if want := len(protocol.Types()) + len(schema.Enums[reflect.TypeFor[protocol.EntryType]()]) + len(schema.Deltas); compared != want {
		t.Errorf("%d schemas were compared, want %d", compared, want)
	}
}

// TestExamplesOfTheSpec: every line that spec.md shows is an event of the description.
func TestExamplesOfTheSpec(t *testing.T) {
	union := loadSpec(t).Components.Schemas["SessionEvent"].Value
	lines := 0
	for _, block := range regexp.MustCompile("(?s)```ndjson\n(.*?)```").FindAllStringSubmatch(specText(t), -1) {
		for line := range strings.Lines(block[1]) {
			lines++
			if err := union.VisitJSON(readJSON(t, []byte(line))); err != nil {
				t.Errorf("%s: %v", line, err)
			}
		}
	}
	if lines < 30 {
		t.Errorf("%d lines", lines)
	}
}

// pascal makes a type's name of a word.
func pascal(snake string) string {
	var b strings.Builder
	for part := range strings.SplitSeq(snake, "_") {
		b.WriteString(strings.ToUpper(part[:1]) + part[1:])
	}
	return b.String()
}
