package house

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// An arrow of a package leads from one of its files to another that defines what the first one uses. With the files on floors, an arrow to a
// higher floor runs back up: whoever reads from the top has to come back. TestArrows puts the files on the floors that have the fewest of those.

// maxBack is how many arrows of a hundred may run back up.
const maxBack = 10

// minArrows is from how many arrows on a package is looked at: in a small one, two files that know each other are no hall.
const minArrows = 20

// winding are the packages that have more than maxBack, with how many of a hundred when they were last looked at. A row shrinks or goes.
var winding = map[string]struct {
	back int
	why  string
}{
	"actors/connection": {27, "a connection and its lanes know each other"},
	"adapters/bash":     {24, "a grammar: what a word holds are commands again"},
	"adapters/process":  {22, "whose a process is follows from all that the daemon has begun, and from the connection that it came from"},
}

func TestArrows(t *testing.T) {
	if testing.Short() {
		t.Skip("types of the whole module: not in a short run")
	}
	for folder, arrows := range arrowsOf(t) {
		back, all := climb(arrows)
		if all < minArrows {
			continue
		}
		percent := (100*len(back) + all - 1) / all
		row, listed := winding[folder]
		switch {
		case !listed && percent > maxBack:
			t.Errorf("%s: %d of %d arrows run back up, more than %d of a hundred: %s", folder, len(back), all, maxBack, strings.Join(back, ", "))
		case listed && percent > row.back:
			t.Errorf("%s has %d of %d arrows that run back up, more than %d of a hundred (%s): %s", folder, len(back), all, row.back, row.why, strings.Join(back, ", "))
		case listed && percent <= maxBack:
			t.Errorf("%s has %d of %d arrows that run back up now: take it off the list", folder, len(back), all)
		case listed && percent < row.back-slack:
			t.Errorf("%s has %d of %d arrows that run back up now: say %d in the list", folder, len(back), all, percent)
		}
	}
}

// graph has the files that a file uses something of.
type graph map[string]map[string]bool

// arrowsOf are the arrows of each package of the product, by its folder.
func arrowsOf(t *testing.T) map[string]graph {
	t.Helper()
	type listed struct {
		ImportPath, Dir, Export string
		GoFiles                 []string
		Module                  *struct{ Main bool }
		ImportMap               map[string]string
	}
	cmd := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Dir,Export,GoFiles,Module,ImportMap", "./...")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, &stderr)
	}
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	exports, ours := map[string]string{}, []listed{}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		exports[p.ImportPath] = p.Export
		if p.Module != nil && p.Module.Main {
			ours = append(ours, p)
		}
	}
	set := token.NewFileSet()
	from := importer.ForCompiler(set, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	all := map[string]graph{}
	for _, p := range ours {
		var files []*ast.File
		for _, name := range p.GoFiles {
			f, err := parser.ParseFile(set, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, f)
		}
		info := types.Info{Uses: map[*ast.Ident]types.Object{}}
		pkg, err := (&types.Config{Importer: from}).Check(p.ImportPath, set, files, &info)
		if err != nil {
			t.Fatal(err)
		}
		folder, err := filepath.Rel(root, p.Dir)
		if err != nil {
			t.Fatal(err)
		}
		all[filepath.ToSlash(folder)] = arrowsWithin(set, pkg, &info)
	}
	return all
}

// arrowsWithin are the arrows of one package. What a function has for itself is its own.
func arrowsWithin(set *token.FileSet, pkg *types.Package, info *types.Info) graph {
	g := graph{}
	file := func(p token.Pos) string { return filepath.Base(set.Position(p).Filename) }
	for id, o := range info.Uses {
		if o.Pkg() != pkg {
			continue
		}
		if from, to := file(id.Pos()), file(o.Pos()); from != to {
			if g[from] == nil {
				g[from] = map[string]bool{}
			}
			g[from][to] = true
		}
	}
	return g
}

// climb gives the arrows that run back up, and how many arrows there are.
func climb(g graph) (back []string, all int) {
	floors := floorsOf(g)
	at := map[string]int{}
	for i, f := range floors {
		at[f] = i
	}
	for from, tos := range g {
		for to := range tos {
			all++
			if at[to] < at[from] {
				back = append(back, fmt.Sprintf("%s to %s", from, to))
			}
		}
	}
	slices.Sort(back)
	return back, all
}

// floorsOf puts the files in an order with few arrows that run back up, the top first: those that nobody uses come first, those that use nobody last, and
// of the others the one that uses the most and is used the least. Then each file goes where it has the fewest, as long as that helps.
func floorsOf(g graph) []string {
	nodes := map[string]bool{}
	for from, tos := range g {
		nodes[from] = true
		for to := range tos {
			nodes[to] = true
		}
	}
	var top, bottom []string
	for len(nodes) > 0 {
		names := slices.Sorted(maps.Keys(nodes))
		out, in := map[string]int{}, map[string]int{}
		for _, a := range names {
			for b := range g[a] {
				if nodes[b] {
					out[a]++
					in[b]++
				}
			}
		}
		if i := slices.IndexFunc(names, func(n string) bool { return out[n] == 0 }); i >= 0 {
			bottom = append(bottom, names[i])
			delete(nodes, names[i])
			continue
		}
		best := slices.MaxFunc(names, func(a, b string) int {
			if (in[a] == 0) != (in[b] == 0) {
				return cmp.Compare(in[b], in[a])
			}
			return cmp.Compare(out[a]-in[a], out[b]-in[b])
		})
		top = append(top, best)
		delete(nodes, best)
	}
	slices.Reverse(bottom)
	order := append(top, bottom...)
	for better := true; better; {
		better = false
		for _, f := range slices.Clone(order) {
			better = settleFloor(g, order, f) || better
		}
	}
	return order
}

// settleFloor moves one file to where the fewest of its arrows run back up, and says whether that was elsewhere.
func settleFloor(g graph, order []string, f string) bool {
	i := slices.Index(order, f)
	best, gain, sum := i, 0, 0
	cost := func(other string, above bool) int { // of f standing above other, or below it
		switch {
		case above && g[other][f]:
			return 1
		case !above && g[f][other]:
			return 1
		}
		return 0
	}
	for j := i + 1; j < len(order); j++ { // down, below order[j]
		sum += cost(order[j], false) - cost(order[j], true)
		if sum < gain {
			best, gain = j, sum
		}
	}
	sum = 0
	for j := i - 1; j >= 0; j-- { // up, above order[j]
		sum += cost(order[j], true) - cost(order[j], false)
		if sum < gain {
			best, gain = j, sum
		}
	}
	if best == i {
		return false
	}
	copy(order[i:], order[i+1:])
	order = order[:len(order)-1]
	_ = slices.Insert(order, best, f)
	return true
}
