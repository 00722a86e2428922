package settings

import (
	"os"

	"github.com/ringmaster-agents/ringmaster/actors/price"
)

// readPrices reads the price file; nil: there is none. What others than its owner may write is refused: limits of cost count by it.
func readPrices(path string) (*price.Table, error) {
	if path == "" {
		return nil, nil
	}
	where := "price file " + path
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, &Problem{where, "it cannot be read: " + err.Error(), "make it, or name another with --prices"}
	case !info.Mode().IsRegular() || info.Size() > price.MaxFile:
		return nil, &Problem{where, "it is no file of at most 1 MiB", price.Form}
	case info.Mode().Perm()&0o002 != 0:
		return nil, &Problem{where, "everybody may write it, and budgets count by it", "chmod o-w " + path}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, &Problem{where, "it cannot be read: " + err.Error(), "let this user read it"}
	}
	table, err := price.Parse(text)
	if err != nil {
		return nil, &Problem{where, err.Error(), price.Form}
	}
	return table, nil
}
