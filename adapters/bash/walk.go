package bash

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// walker visits one parsed line.
type walker struct {
	*reader
	depth int
}

// arithmeticTests are the comparisons of [[ ]] that evaluate their operands.
var arithmeticTests = []syntax.BinTestOperator{syntax.TsEql, syntax.TsNeq, syntax.TsLeq, syntax.TsGeq, syntax.TsLss, syntax.TsGtr}

func (w walker) visit(n syntax.Node) bool {
	switch n := n.(type) {
	case *syntax.Stmt:
		w.stdin(n)
	case *syntax.CallExpr:
		w.assigned(n.Assigns)
		if len(n.Args) > 0 {
			w.run(w.words(n.Args), w.depth)
		}
	case *syntax.DeclClause:
		w.assigned(n.Args)
		w.add(declared(n))
	case *syntax.ParamExp:
		w.parameter(n)
	case *syntax.ArithmExp:
		w.arithmetic(n.X)
	case *syntax.ArithmCmd:
		w.arithmetic(n.X)
	case *syntax.LetClause:
		w.arithmetic(n.Exprs...)
	case *syntax.CStyleLoop:
		w.arithmetic(n.Init, n.Cond, n.Post)
	case *syntax.BinaryTest:
		if slices.Contains(arithmeticTests, n.Op) {
			w.blind()
		}
	case *syntax.UnaryTest:
		if n.Op == syntax.TsVarSet {
			w.blind()
		}
	case *syntax.ExtGlob:
		w.blind() // zsh runs code in *(e:…:)
	}
	return true
}

func (w walker) words(list []*syntax.Word) []string {
	words := make([]string, len(list))
	for i, x := range list {
		words[i] = wordText(x)
	}
	return words
}

// assigned takes values that may be command lines for programs: PAGER, GIT_SSH_COMMAND, BASH_ENV.
func (w walker) assigned(list []*syntax.Assign) {
	for _, a := range list {
		if a.Index != nil {
			w.arithmetic(a.Index)
		}
		if a.Value != nil {
			value := wordText(a.Value)
			if a.Name == nil { // declare "name[…]=value" and the like
				w.evaluated(value)
			}
			w.hint(value)
		}
	}
}

// declared is an export, a declare and the like as the command that it is for people.
func declared(n *syntax.DeclClause) []string {
	words := []string{n.Variant.Value}
	for _, a := range n.Args {
		word := wordText(a.Value)
		if a.Name != nil {
			word = a.Name.Value + "=" + word
		}
		words = append(words, word)
	}
	return words
}

// hint takes a text that a program may run.
func (w walker) hint(text string) {
	if len(strings.Fields(text)) < 2 && !strings.ContainsAny(text, "/;&|") || dynamic(text) {
		return
	}
	was := w.hinted
	blind := w.line.Blind
	w.hinted = true
	w.read(text, w.depth+1)
	w.hinted = was
	w.line.Blind = blind // what is no command line is none
}

// parameter looks for expansions that run the text of a variable.
func (w walker) parameter(p *syntax.ParamExp) {
	switch {
	case p.Excl, p.Flags != nil, p.NestedParam != nil, len(p.Modifiers) > 0:
		w.blind()
	case p.Exp != nil && p.Exp.Op == syntax.OtherParamOps:
		w.blind() // ${x@P}
	case p.Slice != nil:
		w.arithmetic(p.Slice.Offset, p.Slice.Length)
	}
	if p.Index != nil {
		w.arithmetic(p.Index)
	}
}

// arithmetic is blind where it has names in it: their text is evaluated, and with it what stands in the brackets of an array.
func (w walker) arithmetic(list ...syntax.ArithmExpr) {
	for _, x := range list {
		if x == nil {
			continue
		}
		syntax.Walk(x, func(n syntax.Node) bool {
			if word, is := n.(*syntax.Word); is {
				text := wordText(word)
				if text == "@" || text == "*" || text != "" && strings.Trim(text, "0123456789") == "" {
					return true
				}
				w.blind()
			}
			return true
		})
	}
}

// evaluated is an argument in which a builtin may evaluate an array's brackets.
func (w walker) evaluated(text string) {
	if strings.ContainsAny(text, "$`") || strings.Contains(text, "[") && dynamic(text) {
		w.blind()
	}
}

// stdin takes a here-document that a shell is given to run.
func (w walker) stdin(s *syntax.Stmt) {
	call, is := s.Cmd.(*syntax.CallExpr)
	if !is || len(call.Args) == 0 {
		return
	}
	words := w.words(call.Args)
	if !slices.ContainsFunc(words, func(word string) bool { return isShell(base(word)) }) {
		return
	}
	for _, r := range s.Redirs {
		if r.Hdoc != nil {
			w.read(literalText(wordText(r.Hdoc)), w.depth+1)
		}
		if r.Op == syntax.WordHdoc {
			w.read(literalText(wordText(r.Word)), w.depth+1)
		}
	}
}

// literalText makes a text readable as a command line again: what is unknown in it becomes an expansion.
func literalText(text string) string { return strings.ReplaceAll(text, string(Unknown), "${unknown}") }
