package cluster

import (
	"bytes"
	"context"
	"encoding/json"
	"os/exec"
	"slices"
	"time"
)

// compact moves what is in rows into objects, as an operator's compactor does beside the daemons, and says how many segments it has made. Where Core does not
// answer it fails, and nothing is wrong.
func (c *cluster) compact(ctx context.Context) (segments int) {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, c.program, "core", "compact", "--json", "--rest", "1ns", "--full", "20KiB", "--core", c.core, "--objects", c.objects).Output()
	var made struct {
		Segments int `json:"segments"`
	}
	if err != nil || json.Unmarshal(out, &made) != nil {
		return 0
	}
	return made.Segments
}

// verify holds Core's rows and objects against the journals: those of each session at the node that has it.
func (c *cluster) verify(ctx context.Context, ids []string) {
	c.t.Helper()
	for _, n := range c.nodes {
		own := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return !n.has(ctx, id) })
		if len(own) == 0 {
			continue
		}
		args := append([]string{"core", "verify", "--data", n.data, "--core", c.core, "--objects", c.objects}, own...)
		var out []byte
		c.until("Core has all that a node has", patience, func() bool {
			var err error
			out, err = exec.CommandContext(ctx, c.program, append(args, "--json")...).CombinedOutput()
			if err != nil {
				c.t.Fatalf("core verify: %v\n%s", err, out)
			}
			for line := range bytes.Lines(out) {
				var found struct {
					Known  bool `json:"known"`
					Behind int  `json:"behind"`
				}
				if json.Unmarshal(line, &found) != nil || !found.Known || found.Behind > 0 {
					return false
				}
			}
			return true
		})
	}
}
