package house

import (
	"fmt"
	"go/ast"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// tableRow is a row of ARCHITECTURE.md's table of goroutines: | `file` | `function` | kind | what it is and what ends it |
var tableRow = regexp.MustCompile("(?m)^\\| `([^`]+\\.go)` \\| `([^`]+)` \\| (go|timer) \\| (.+) \\|$")

// Every goroutine and every timer with a function of its own stands in ARCHITECTURE.md, with what it is and what ends it.
func TestGoroutinesAreListed(t *testing.T) {
	started := map[string][]string{}
	for _, s := range sources(t) {
		if !s.isTest() {
			starts(s, started)
		}
	}
	if len(started) == 0 {
		t.Fatal("no goroutine found in the code: the test looks in the wrong place")
	}
	listed := map[string]bool{}
	for _, m := range tableRow.FindAllStringSubmatch(string(read(t, "ARCHITECTURE.md")), -1) {
		row := fmt.Sprintf("| `%s` | `%s` | %s |", m[1], m[2], m[3])
		if listed[row] {
			t.Errorf("ARCHITECTURE.md: doubled: %s", row)
		}
		listed[row] = true
		if _, there := started[row]; !there {
			t.Errorf("ARCHITECTURE.md: stale: %s", row)
		}
		if len(m[4]) < 20 || !strings.Contains(m[4], "end") && !strings.Contains(m[4], "stop") {
			t.Errorf("ARCHITECTURE.md: says not what ends it: %s", row)
		}
	}
	for row, at := range started {
		if !listed[row] {
			t.Errorf("ARCHITECTURE.md misses %s, started at %s", row, strings.Join(at, ", "))
		}
	}
}

// starts notes what a file starts: go statements, time.AfterFunc and context.AfterFunc, and Go of a wait group.
func starts(s source, found map[string][]string) {
	for _, decl := range s.file.Decls {
		name := "var"
		if f, ok := decl.(*ast.FuncDecl); ok {
			name = funcName(f)
		}
		ast.Inspect(decl, func(n ast.Node) bool {
			kind := ""
			switch n := n.(type) {
			case *ast.GoStmt:
				kind = "go"
			case *ast.CallExpr:
				kind = startKind(n)
			}
			if kind != "" {
				row := fmt.Sprintf("| `%s` | `%s` | %s |", s.path, name, kind)
				if at := s.set.Position(n.Pos()).String(); !slices.Contains(found[row], at) {
					found[row] = append(found[row], at)
				}
			}
			return true
		})
	}
}

func startKind(call *ast.CallExpr) string {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	switch x, _ := sel.X.(*ast.Ident); {
	case sel.Sel.Name == "AfterFunc" && x != nil && (x.Name == "time" || x.Name == "context"):
		return "timer"
	case sel.Sel.Name == "Go" && len(call.Args) == 1:
		return "go"
	}
	return ""
}

func funcName(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return f.Name.Name
	}
	typ := f.Recv.List[0].Type
	if star, ok := typ.(*ast.StarExpr); ok {
		typ = star.X
	}
	if generic, ok := typ.(*ast.IndexExpr); ok {
		typ = generic.X
	}
	if id, ok := typ.(*ast.Ident); ok {
		return id.Name + "." + f.Name.Name
	}
	return f.Name.Name
}
