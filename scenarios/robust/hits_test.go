package robust

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/failpoint"
)

// hits is the file in which a daemon counts how often it comes to each point, and the word that lets it begin to count.
type hits string

// read gives the counters so far.
func (h hits) read() map[string]uint64 {
	b, err := os.ReadFile(string(h))
	all := map[string]uint64{}
	for i, point := range failpoint.Points() {
		if err == nil && len(b) >= 8*(i+1) {
			all[point] = binary.NativeEndian.Uint64(b[8*i:])
		}
	}
	return all
}

// arm says whether hits of a point that waits for it count from now on. Before the first life there is no file.
func (h hits) arm(on bool) error {
	f, err := os.OpenFile(string(h), os.O_WRONLY, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	word := make([]byte, 8)
	if on {
		word[0] = 1
	}
	_, err = f.WriteAt(word, int64(8*len(failpoint.Points())))
	return errors.Join(err, f.Close())
}

// note remembers the most hits of one life's work.
func (c *tally) note(before, after map[string]uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for point, n := range after {
		c.most[point] = max(c.most[point], n-before[point])
	}
}

// armed says at which hit of its point a daemon is to die: at one of the first, which mostly come with the recovery, or in the
// middle of the work, as far as other lives have shown how often it comes there. Whoever hits it stands there for a moment,
// now and then, so that the others go on with what they were told too early. A point that was missed is met earlier the next time.
func (c *tally) armed(point string, missed int, random *rand.Rand) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	wait := time.Duration(random.IntN(2)*random.IntN(5)) * time.Millisecond
	if most := c.most[point]; most > 0 && random.IntN(3) > 0 {
		return fmt.Sprintf("%s#+%d@%s", point, 1+random.Uint64N(max(1, min(200, most/2)>>missed)), wait)
	}
	return fmt.Sprintf("%s#%d@%s", point, 1+random.IntN(3)/(2+missed), wait)
}
