package house

import (
	"go/ast"
	"path"
	"strconv"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/failpoint"
)

// Every fault point stands in the code once and in the list of points once, and is named after the package that it is in.
func TestFaultPoints(t *testing.T) {
	at := map[string]string{}
	for _, s := range sources(t) {
		if s.isTest() {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			sel, ok := call.Fun.(*ast.SelectorExpr)
			if !ok || sel.Sel.Name != "Hit" && sel.Sel.Name != "Torn" {
				return true
			}
			if x, ok := sel.X.(*ast.Ident); !ok || x.Name != "failpoint" {
				return true
			}
			place := s.set.Position(call.Pos()).String()
			lit, ok := call.Args[0].(*ast.BasicLit)
			if !ok {
				t.Errorf("%s: the name of a point is a literal", place)
				return true
			}
			point, _ := strconv.Unquote(lit.Value)
			if first, twice := at[point]; twice {
				t.Errorf("%s: %s stands at %s already", place, point, first)
			}
			if folder, _, _ := strings.Cut(point, "/"); folder != path.Base(path.Dir(s.path)) {
				t.Errorf("%s: %s is named after another package", place, point)
			}
			at[point] = place
			return true
		})
	}
	listed := map[string]bool{}
	for _, p := range failpoint.Points() {
		if listed[p] {
			t.Errorf("%s is listed twice", p)
		}
		if listed[p] = true; at[p] == "" {
			t.Errorf("%s is listed and nowhere in the code", p)
		}
	}
	for p, place := range at {
		if !listed[p] {
			t.Errorf("%s: %s is not in the list of actors/failpoint", place, p)
		}
	}
	if len(listed) < 24 {
		t.Errorf("%d points: 24 at least", len(listed))
	}
}
