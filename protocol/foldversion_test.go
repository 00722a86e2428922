package protocol

import (
	"fmt"
	"hash/crc32"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// foldedBy is what each version of the fold knows: the sum of the event types and of the members of a state.
var foldedBy = map[uint64]uint32{
	1: 0x3a2a88d2,
	2: 0xcda04bd8, // diffs of requests, what of a policy has decided
}

// TestFoldVersion: a fold that knows more event types or more members of a state has another number, in both languages. States that were stored by the one before
// would lack them.
func TestFoldVersion(t *testing.T) {
	var known []string
	for _, name := range Types() {
		known = append(known, string(name))
	}
	seen := map[reflect.Type]bool{}
	var walk func(reflect.Type)
	walk = func(at reflect.Type) {
		for at.Kind() == reflect.Pointer || at.Kind() == reflect.Slice || at.Kind() == reflect.Map {
			at = at.Elem()
		}
		if at.Kind() != reflect.Struct || seen[at] {
			return
		}
		seen[at] = true
		for f := range at.Fields() {
			if name := f.Tag.Get("json"); name != "" && name != "-" {
				known = append(known, at.Name()+"."+name)
			}
			if f.IsExported() {
				walk(f.Type)
			}
		}
	}
	walk(reflect.TypeFor[SessionState]())
	slices.Sort(known)
	if sum := crc32.ChecksumIEEE([]byte(strings.Join(known, "\n"))); foldedBy[FoldVersion] != sum {
		t.Errorf("event types or members of a state have changed: raise FoldVersion once after a release, in foldversion.go and protocol/ts/src/fold.ts, and note %#08x for it here", sum)
	}
	const there = "protocol/ts/src/fold.ts"
	text, err := os.ReadFile("ts/src/fold.ts")
	if want := fmt.Sprintf("export const foldVersion = %d;", FoldVersion); err != nil || !strings.Contains(string(text), want) {
		t.Errorf("%s has not %q, %v", there, want, err)
	}
}
