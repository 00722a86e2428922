package coldtest

import (
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/core/cold"
)

// Run holds the cold side of a Core against its contract. each makes an empty place.
func Run(t *testing.T, each func(t *testing.T) *Place) {
	for _, c := range []struct {
		name string
		run  func(s *suite)
	}{
		{"what is due", due},
		{"who intends an object", intends},
		{"a segment takes the place of its rows", compacted},
		{"a segment that is not taken", notTaken},
		{"a segment that is there already", again},
		{"a cut goes through a segment", cut},
		{"what nobody names is deleted a day later", swept},
		{"objects of a removed session", removed},
		{"a reader of a removed session", leftBehind},
		{"what the store does not delete", kept},
		{"what Core knows nothing of", strays},
		{"there is no way to the store", noStore},
		{"the store is away, and an object is damaged", troubles},
		{"borders of rows are wrong", borders},
		{"one session is broken", oneIsBroken},
		{"pictures", pictures},
		{"native lines", natives},
		{"numbers of native lines", numbers},
		{"compactors die at any moment", deaths},
		{"all of them at once", fight},
	} {
		t.Run(strings.ReplaceAll(c.name, " ", "_"), func(t *testing.T) {
			s := &suite{TB: t, Place: each(t), ctx: t.Context()}
			s.core, s.store = s.Way(t), s.Store()
			s.joined = cold.Join(s.core, Of(s.store))
			t.Cleanup(s.joined.Close)
			c.run(s)
		})
	}
}
