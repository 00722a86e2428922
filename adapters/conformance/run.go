package conformance

import (
	"path"
	"strings"
	"testing"
)

// Run tests everything, in one subtest per recording.
func Run(t *testing.T, s Suite) {
	names := s.names(t)
	t.Run("essentials", func(t *testing.T) { s.essentials(t, names) })
	t.Run("claims", func(t *testing.T) { s.claims(t, names) })
	for _, file := range names {
		t.Run(strings.TrimSuffix(path.Base(file), ".jsonl"), func(t *testing.T) {
			t.Parallel()
			records := s.read(t, file)
			t.Run("facts", func(t *testing.T) { s.facts(t, file, records) })
			t.Run("silence", func(t *testing.T) { s.silence(t, records) })
			t.Run("again", func(t *testing.T) { s.again(t, records) })
			t.Run("cuts", func(t *testing.T) { s.cuts(t, records) })
			t.Run("damage", func(t *testing.T) { s.damage(t, records) })
			t.Run("limit", func(t *testing.T) { s.limit(t, records) })
			t.Run("strangers", func(t *testing.T) { s.strangers(t, records) })
		})
	}
}
