package api

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

// TestFieldDocs: the descriptions of the wire types are the comments of package protocol, those of the API's bodies are the
// comments of their types here, in the packages below and in protocol/resource. schema/fielddocs.go carries them into the program, where comments cannot be read.
func TestFieldDocs(t *testing.T) {
	types, fields := readPackage(t, "../protocol")
	local := map[string]string{}
	for _, dir := range []string{".", "operation", "queue", "raw", "../protocol/resource"} {
		more, _ := readPackage(t, dir)
		maps.Copy(local, more)
	}
	bodies := map[string]string{}
	for name, text := range local { // huma names a schema after its type
		public := strings.ToUpper(name[:1]) + name[1:]
		bodies[public] = public + strings.TrimPrefix(text, name)
	}
	var b bytes.Buffer
	b.WriteString("// Code generated from the comments of the packages protocol, protocol/resource, api and those below it by TestFieldDocs; DO NOT EDIT.\n\npackage schema\n")
	for _, m := range []struct {
		name, doc string
		docs      map[string]string
	}{{"TypeDocs", "describes the wire types", types}, {"fieldDocs", "describes their members, by type and Go name", fields}, {"BodyDocs", "describes the bodies of the API, by the names of their schemas", bodies}} {
		fmt.Fprintf(&b, "\n// %s %s.\nvar %s = map[string]string{\n", m.name, m.doc, m.name)
		for _, k := range slices.Sorted(maps.Keys(m.docs)) {
			fmt.Fprintf(&b, "%q: %q,\n", k, m.docs[k])
		}
		b.WriteString("}\n")
	}
	want, err := format.Source(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("schema/fielddocs.go", want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if have, err := os.ReadFile("schema/fielddocs.go"); err != nil || !bytes.Equal(have, want) {
		t.Errorf("fielddocs.go is not what the comments say (%v): run go generate ./api", err)
	}
}

func readPackage(t *testing.T, dir string) (types, fields map[string]string) {
	types, fields = map[string]string{}, map[string]string{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), dir+"/"+e.Name(), nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		readDocs(file, types, fields)
	}
	return types, fields
}

// readDocs takes the structs that go over the wire.
func readDocs(file *ast.File, types, fields map[string]string) {
	for _, d := range file.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, s := range g.Specs {
			ts, ok := s.(*ast.TypeSpec)
			if !ok {
				continue
			}
			st, ok := ts.Type.(*ast.StructType)
			if !ok || !onTheWire(st) {
				continue
			}
			doc := ts.Doc
			if doc == nil {
				doc = g.Doc
			}
			first, _, _ := strings.Cut(doc.Text(), "\n\n") // what follows is for who reads the code
			if text := sentence(first); text != "" {
				types[ts.Name.Name] = text
			}
			for _, f := range st.Fields.List {
				text := sentence(f.Doc.Text() + " " + f.Comment.Text())
				for _, n := range f.Names {
					if n.IsExported() && text != "" && f.Tag != nil && f.Tag.Value != "`json:\"-\"`" {
						fields[ts.Name.Name+"."+n.Name] = text
					}
				}
			}
		}
	}
}

func onTheWire(st *ast.StructType) bool {
	return slices.ContainsFunc(st.Fields.List, func(f *ast.Field) bool { return f.Tag != nil && strings.Contains(f.Tag.Value, "json:") })
}

// sentence makes one line of a comment and names the spec as a reader of the description finds it.
func sentence(comment string) string {
	text := strings.Join(strings.Fields(comment), " ")
	return strings.ReplaceAll(text, "(spec §", "(protocol/spec.md §")
}
