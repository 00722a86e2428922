//go:build ignore

// Sbom prints what a Go program was built of as CycloneDX 1.5: the modules that Go has written into it, with the digests of go.sum.
// No tool that does this could be had as a module that go.sum's database knows.
package main

import (
	"debug/buildinfo"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"runtime/debug"
	"strings"
)

type component struct {
	Type    string `json:"type"`
	Ref     string `json:"bom-ref"`
	Name    string `json:"name"`
	Version string `json:"version"`
	PURL    string `json:"purl"`
	Hashes  []hash `json:"hashes,omitempty"`
}

type hash struct {
	Algorithm string `json:"alg"`
	Content   string `json:"content"`
}

type document struct {
	Format      string               `json:"bomFormat"`
	SpecVersion string               `json:"specVersion"`
	Version     int                  `json:"version"`
	Metadata    map[string]component `json:"metadata"`
	Components  []component          `json:"components"`
	Depends     []map[string]any     `json:"dependencies"`
}

func main() {
	info, err := buildinfo.ReadFile(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	root := of(&info.Main)
	root.Type, root.Name = "application", path.Base(info.Path)
	doc := document{Format: "CycloneDX", SpecVersion: "1.5", Version: 1, Metadata: map[string]component{"component": root}}
	refs := []string{}
	add := func(c component) {
		doc.Components, refs = append(doc.Components, c), append(refs, c.Ref)
	}
	std := strings.TrimPrefix(info.GoVersion, "go")
	add(component{Type: "library", Ref: "pkg:golang/std@" + std, Name: "std", Version: std, PURL: "pkg:golang/std@" + std})
	for _, m := range info.Deps {
		for m.Replace != nil {
			m = m.Replace
		}
		add(of(m))
	}
	doc.Depends = []map[string]any{{"ref": root.Ref, "dependsOn": refs}}
	out := json.NewEncoder(os.Stdout)
	out.SetIndent("", "  ")
	if err := out.Encode(doc); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// of describes a module. Its digest is that of go.sum, which is of its files and not of an archive (h1).
func of(m *debug.Module) component {
	url := "pkg:golang/" + m.Path + "@" + m.Version
	c := component{Type: "library", Ref: url, Name: m.Path, Version: m.Version, PURL: url}
	if sum, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(m.Sum, "h1:")); err == nil && len(sum) == 32 {
		c.Hashes = []hash{{"SHA-256", hex.EncodeToString(sum)}}
	}
	return c
}
