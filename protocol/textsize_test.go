package protocol

import (
	"encoding/json"
	"math/rand/v2"
	"testing"
)

// A text's size is that of what encoding/json writes, also where its bytes are no UTF-8.
func TestTextSize(t *testing.T) {
	pick := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		text := make([]rune, pick.IntN(20))
		for i := range text {
			if text[i] = rune(0x20 + pick.IntN(0x5f)); pick.IntN(3) == 0 {
				text[i] = []rune{'\n', '\t', '\r', '"', '\\', '<', '&', 'é', '🦭', 0x2028, 1}[pick.IntN(11)]
			}
		}
		s := string(text)
		if pick.IntN(4) == 0 {
			s += "\xff" + s
		}
		want, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		if got := textSize(s) + 2; got != len(want) {
			t.Fatalf("%q: %d bytes of %d", s, got, len(want))
		}
	}
}
