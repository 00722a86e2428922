package session

import (
	"strings"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/exit"
)

// labelsOf reads labels of the command line, each KEY:VALUE; nil where there are none.
func labelsOf(list []string) (map[string]string, error) {
	var labels map[string]string
	for _, l := range list {
		key, value, ok := strings.Cut(l, ":")
		if !ok || key == "" {
			return nil, exit.Usagef("label %q: want KEY:VALUE", l)
		}
		if labels == nil {
			labels = map[string]string{}
		}
		labels[key] = value
	}
	return labels, nil
}
