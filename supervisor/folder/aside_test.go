package folder_test

import (
	"slices"
	"testing"

	"github.com/ringmaster-agents/ringmaster/scenarios/leaks"
	"github.com/ringmaster-agents/ringmaster/supervisor/folder"
)

func TestMain(m *testing.M) { leaks.Main(m) }

// TestAsidesInOrder: what was set aside is in the order of its moments, also where a name of a later one comes first in the alphabet, or is shorter.
func TestAsidesInOrder(t *testing.T) {
	want := []string{"moved.999", "moved.1000", "lost.2000", "moved.2000", "lost.3000", "1", "lost", "moved.01"}
	for _, names := range [][]string{slices.Sorted(slices.Values(want)), slices.Clone(want)} {
		slices.Reverse(names)
		if folder.SortAsides(names); !slices.Equal(names, want) {
			t.Errorf("the order is %q, want %q", names, want)
		}
	}
}
