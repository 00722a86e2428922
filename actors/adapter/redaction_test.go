package adapter

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/secret"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

const (
	bits  = "Zx-9_aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789-_"
	token = "ringmaster_abcdefghij27_" + bits
)

// pieces says each line as the next piece of an entry, and of another one's arguments, and all of it at the end.
type pieces struct {
	all  string
	key  adapters.EntryKey
	kept int // bytes of the text that are kept: the rest overflows
}

func (p *pieces) line(line []byte) (list []adapters.Draft) {
	if p.key == 0 {
		p.key = 1
		list = append(list, adapters.EntryOpened{Key: 1, Type: protocol.EntryToolCall, Data: &protocol.ToolCallData{ToolName: "x"}})
	}
	text := strings.TrimSuffix(strings.TrimPrefix(string(line), `{"delta":"`), `"}`)
	p.all += text
	part := text[:min(max(p.kept-len(p.all)+len(text), 0), len(text))]
	if part != "" {
		list = append(list, adapters.EntryChanged{Key: 1, Delta: &protocol.TextAppend{Text: part}})
	}
	if rest := text[len(part):]; rest != "" {
		list = append(list, adapters.EntryOverflow{Key: 1, Offset: int64(len(p.all) - len(rest)), Delta: &protocol.TextAppend{Text: rest}})
	}
	return append(list,
		adapters.EntryChanged{Key: 1, Delta: &protocol.ArgumentsAppend{Text: text}},
		adapters.EntryClosed{Key: 2, Data: &protocol.MessageData{Text: p.all}})
}

// A token that comes in pieces is in no draft and in no line of the archive, beyond what one piece may hold of it.
// Proves: I15.7/overflow
func TestRedactionOfPieces(t *testing.T) {
	for _, kept := range []int{1000, 20, 40, 60} {
		testPieces(t, kept)
	}
}

func testPieces(t *testing.T, kept int) {
	for _, size := range []int{1, 3, 4, 11, 24, 30, 66} {
		var known secret.Tokens
		r, p := newRedaction(&known), &pieces{kept: kept}
		text := "the token is " + token + ", so"
		var archive, drafts string
		for at := 0; at < len(text); at += size {
			line := []byte(`{"delta":"` + text[at:min(at+size, len(text))] + `"}`)
			list := p.line(line)
			r.drafts(list, line)
			archive += strings.TrimSuffix(strings.TrimPrefix(string(line), `{"delta":"`), `"}`)
			for _, d := range list {
				if c, ok := d.(adapters.EntryChanged); ok {
					if a, ok := c.Delta.(*protocol.TextAppend); ok {
						drafts += a.Text
					}
				}
				if c, ok := d.(adapters.EntryOverflow); ok {
					drafts += c.Delta.(*protocol.TextAppend).Text
				}
				if c, ok := d.(adapters.EntryClosed); ok && strings.Contains(c.Data.(*protocol.MessageData).Text, bits) {
					t.Errorf("in pieces of %d: the whole says %+v", size, c.Data)
				}
			}
		}
		for what, got := range map[string]string{"log": drafts, "archive": archive} {
			if !strings.HasPrefix(got, "the token is ringmaster_abcdefghij27_") || !strings.HasSuffix(got, ", so") || len(got) != len(text) {
				t.Errorf("in pieces of %d, the %s: %q", size, what, got)
			}
			for at := 0; at+4 <= len(bits); at++ {
				if strings.Contains(got, bits[at:at+4]) {
					t.Errorf("in pieces of %d, the %s has %q: %q", size, what, bits[at:at+4], got)
					break
				}
			}
		}
	}
}

// TestRedactionOfASetText: a token in the middle of which a text is cut that replaces another one.
// Proves: I15.7/overflow
func TestRedactionOfASetText(t *testing.T) {
	for cut := len("see ringmaster_"); cut < len("see ")+len(token); cut++ {
		var known secret.Tokens
		r := newRedaction(&known)
		text := "see " + token + "."
		line := []byte(`{"all":"` + text[4:] + `"}`)
		list := []adapters.Draft{
			adapters.EntryChanged{Key: 1, Delta: &protocol.TextSet{Text: text[:cut]}},
			adapters.EntryOverflow{Key: 1, Offset: int64(cut), Delta: &protocol.TextAppend{Text: text[cut:]}},
		}
		r.drafts(list, line)
		got := list[0].(adapters.EntryChanged).Delta.(*protocol.TextSet).Text + list[1].(adapters.EntryOverflow).Delta.(*protocol.TextAppend).Text
		if len(got) != len(text) || !strings.HasSuffix(got, ".") {
			t.Errorf("cut at %d: %q", cut, got)
		}
		for at := 0; at+4 <= len(bits); at++ {
			if part := bits[at : at+4]; strings.Contains(got, part) || strings.Contains(string(line), part) {
				t.Errorf("cut at %d: %q is in the text %q or the line %q", cut, part, got, line)
				break
			}
		}
	}
}

// BenchmarkRedaction is what a line costs beside its translation: one of a text's pieces, and one without.
func BenchmarkRedaction(b *testing.B) {
	var known secret.Tokens
	known.Know(strings.Repeat("0123456789abcdef", 4))
	line := []byte(`{"type":"message_update","usage":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"totalTokens":0},"assistantMessageEvent":{"type":"text_delta","contentIndex":0,"delta":" some words of an answer, as long as a model's pieces are"}}`)
	for n, list := range [][]adapters.Draft{nil, {adapters.EntryChanged{Key: 1, Delta: &protocol.TextAppend{Text: " some words of an answer, as long as a model's pieces are"}}}} {
		b.Run(fmt.Sprintf("%d drafts", n), func(b *testing.B) {
			r := newRedaction(&known)
			b.ReportAllocs()
			for b.Loop() {
				known.Mask(line)
				r.drafts(list, line)
			}
		})
	}
}
