package protocol

import (
	"encoding/json"
	"math/rand/v2"
	"testing"
)

// A text's size in JSON is what it is, whatever bytes it has: characters of control apart that some encoders write in one and others in six bytes.
func TestTextSize(t *testing.T) {
	pick := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		text := make([]rune, pick.IntN(20))
		for i := range text {
			if text[i] = rune(0x20 + pick.IntN(0x5f)); pick.IntN(3) == 0 {
				text[i] = []rune{'\n', '\t', '\r', '"', '\\', '<', '&', 'é', '🦭', 0x2028, 1}[pick.IntN(11)]
			}
		}
		want, err := json.Marshal(string(text))
		if err != nil {
			t.Fatal(err)
		}
		if got := textSize(string(text)) + 2; got != len(want) {
			t.Fatalf("%q: %d bytes of %d", string(text), got, len(want))
		}
	}
}
