package house

import (
	"go/ast"
	"path"
	"strings"
	"testing"
)

const (
	maxMethods = 30   // of one type: with more, everything in it may touch everything
	maxPackage = 3000 // lines of a package outside of adapters, without its tests
	slack      = 5    // methods by which a type may have shrunk before its row does
)

// halls are the types that have more methods than maxMethods, with how many they had when they were last looked at. A row shrinks or
// goes; none is added.
var halls = map[string]struct {
	methods int
	why     string
}{
	"protocol.coder":          {35, "a method for each kind of field"},
	"scenarios/model.Session": {40, "a model of the session core, which tells it what it should do"},
}

// TestMethods: a type is one idea.
func TestMethods(t *testing.T) {
	methods := map[string]int{}
	for _, s := range sources(t) {
		if s.isTest() || ast.IsGenerated(s.file) {
			continue
		}
		for _, d := range s.file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv != nil {
				typ, _, _ := strings.Cut(funcName(f), ".")
				methods[path.Dir(s.path)+"."+typ]++
			}
		}
	}
	for name, n := range methods {
		hall, listed := halls[name]
		switch {
		case !listed && n > maxMethods:
			t.Errorf("%s has %d methods, more than %d: make it of parts that have fields of their own", name, n, maxMethods)
		case listed && n > hall.methods:
			t.Errorf("%s grew from %d to %d methods (%s)", name, hall.methods, n, hall.why)
		case listed && n <= maxMethods:
			t.Errorf("%s has %d methods now: take it off the list", name, n)
		case listed && n < hall.methods-slack:
			t.Errorf("%s has %d methods now, not %d: say so in the list", name, n, hall.methods)
		}
	}
	for name := range halls {
		if methods[name] == 0 {
			t.Errorf("%s is on the list and not there", name)
		}
	}
}

// large are the packages above maxPackage, in hundreds of lines.
var large = map[string]struct {
	hundreds int
	why      string
}{
	"actors/core/coretest": {36, "one contract, of which every rule has a case, a walk or a fight on the same suite"},
	"actors/journal":       {36, "one format on the disk: what writes it, repairs it, reads it and carries it elsewhere knows its records"},
	"actors/session/core":  {53, "one decision, and how what it rests on is kept: parts with fields of their own, in four layers that the compiler keeps apart"},
	"supervisor/core":      {47, "one decision about all sessions: parts in layers that the compiler keeps apart, as in the session core"},
	"supervisor":           {33, "the shell of that decision: what it carries out beside actors is in packages of its own"},
	"protocol":             {60, "what every client needs, in one import"},
}

// TestPackageSizes: outside of adapters a package is one room.
func TestPackageSizes(t *testing.T) {
	lines := map[string]int{}
	for _, s := range sources(t) {
		if folder := path.Dir(s.path); !s.isTest() && !ast.IsGenerated(s.file) && !strings.HasPrefix(folder, "adapters") {
			lines[folder] += s.lines
		}
	}
	for folder, n := range lines {
		row, listed := large[folder]
		hundreds := (n + 99) / 100
		switch {
		case !listed && n > maxPackage:
			t.Errorf("%s has %d lines, more than %d: it holds more than one room", folder, n, maxPackage)
		case listed && hundreds > row.hundreds:
			t.Errorf("%s grew to %d lines (%s)", folder, n, row.why)
		case listed && n <= maxPackage:
			t.Errorf("%s has %d lines now: take it off the list", folder, n)
		case listed && hundreds < row.hundreds-slack:
			t.Errorf("%s has %d lines now: say so in the list", folder, n)
		}
	}
	for folder := range large {
		if lines[folder] == 0 {
			t.Errorf("%s is on the list and not there", folder)
		}
	}
}
