package house

import (
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// onlyHTTP are files whose problems no tool gives: they may name routes.
var onlyHTTP = map[string]string{
	"api/guard/guard.go":       "stands before every route, and answers by itself",
	"api/operation/problem.go": "what the framework says of a request's form",
	"api/fold/text.go":         "the route of an entry's text",
	"api/access/token.go":      "the routes of tokens",
	"api/document/examples.go": "examples of the description, which is of HTTP alone",
}

var (
	route = regexp.MustCompile(`\b(GET|POST|PUT|PATCH|DELETE) /`)
	term  = regexp.MustCompile(`\{[A-Za-z]+\}`)
	// members that HTTP writes in camel case, and tools in snake case
	camel = regexp.MustCompile(`\b[a-z]+[a-z0-9]*(Id|Ids|Tool|Tools|Key|Behavior|Session)\b`)
	tool  = regexp.MustCompile(`\b(session_(?:message|events|create|list|get|end|interrupt|answer|prompts|join|watch|state|change|delete)|agent_list|caller_tool_response)\b`)
)

// TestHintsHaveTerms: what HTTP and MCP call by different names stands in the details and hints of problems as a term of
// protocol.Terms, wherever both can be told of it.
func TestHintsHaveTerms(t *testing.T) {
	all := sources(t)
	texts := 0
	for _, s := range all {
		shared := slices.ContainsFunc([]string{"protocol/", "actors/", "supervisor/", "adapters/", "api/"}, func(p string) bool { return strings.HasPrefix(s.path, p) })
		ofTools := strings.HasPrefix(s.path, "api/mcp/")
		if s.isTest() || !shared || strings.HasPrefix(s.path, "api/clienttest/") {
			continue
		}
		for _, e := range told(s, all) {
			ast.Inspect(e, func(n ast.Node) bool {
				lit, ok := n.(*ast.BasicLit)
				if !ok || lit.Kind != token.STRING {
					return true
				}
				texts++
				text, err := strconv.Unquote(lit.Value)
				if err != nil {
					t.Fatal(err)
				}
				at := s.set.Position(lit.Pos())
				switch {
				case onlyHTTP[s.path] != "":
				case route.MatchString(text):
					t.Errorf("%s names a route: %q; use a term of protocol", at, text)
				case term.MatchString(text):
					t.Errorf("%s writes a term: %q; use its constant", at, text)
				case !ofTools && tool.MatchString(text):
					t.Errorf("%s names a tool: %q; use a term of protocol", at, text)
				case !ofTools && !strings.HasPrefix(s.path, "adapters/") && camel.MatchString(text): // agents have words of their own
					t.Errorf("%s names a member as HTTP does: %q; use a term of protocol", at, text)
				}
				return true
			})
		}
	}
	if texts < 150 {
		t.Errorf("only %d texts were found: the search is broken", texts)
	}
}

// told are the expressions of a file that become details and hints of problems: members of that name, variables of that name, and
// arguments of functions whose parameter has it.
func told(s source, all []source) (list []ast.Expr) {
	places := hintPlaces(all)
	named := func(e ast.Expr) bool {
		name := ""
		switch x := e.(type) {
		case *ast.Ident:
			name = x.Name
		case *ast.SelectorExpr:
			name = x.Sel.Name
		}
		return strings.EqualFold(name, "hint") || strings.EqualFold(name, "detail")
	}
	ast.Inspect(s.file, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.KeyValueExpr:
			if named(x.Key) {
				list = append(list, x.Value)
			}
		case *ast.AssignStmt:
			for i, l := range x.Lhs {
				if named(l) && i < len(x.Rhs) {
					list = append(list, x.Rhs[i])
				}
			}
		case *ast.CallExpr:
			name := ""
			switch f := x.Fun.(type) {
			case *ast.Ident:
				name = f.Name
			case *ast.SelectorExpr:
				name = f.Sel.Name
			}
			for _, i := range places[name] {
				if i < len(x.Args) {
					list = append(list, x.Args[i])
				}
			}
		}
		return true
	})
	return list
}

// hintPlaces are the places of parameters named detail or hint, by the function's name.
func hintPlaces(all []source) map[string][]int {
	if places != nil {
		return places
	}
	places = map[string][]int{}
	for _, s := range all {
		for _, d := range s.file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || s.isTest() {
				continue
			}
			i := 0
			for _, p := range f.Type.Params.List {
				for _, name := range p.Names {
					if (name.Name == "hint" || name.Name == "detail") && !slices.Contains(places[f.Name.Name], i) {
						places[f.Name.Name] = append(places[f.Name.Name], i)
					}
					i++
				}
			}
		}
	}
	return places
}

var places map[string][]int // once made by hintPlaces
