package block

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/scenarios/leaks"
)

func TestMain(m *testing.M) { leaks.Main(m) }

// three is a file of three blocks, and the texts of them.
func three() (file []byte, texts []string) {
	next := uint64(7)
	for i, coding := range []Coding{Plain, Small, Fast} {
		text := strings.Repeat(fmt.Sprintf("block %d ", i), 20)
		file = Append(file, next, uint32(i+2), []byte(text), coding)
		texts = append(texts, text)
		next += uint64(i + 2)
	}
	return file, texts
}

// read gives the texts that a file still has, in order, and checks their numbers.
func read(t *testing.T, file []byte) (texts []string, w *Walk) {
	t.Helper()
	w = Over(bytes.NewReader(file), int64(len(file)))
	for last := uint64(0); ; {
		h, more, err := w.Next()
		if err != nil {
			t.Fatal(err)
		}
		if !more {
			return texts, w
		}
		if h.First < last {
			t.Fatalf("%d follows %d", h.First, last)
		}
		last = h.End()
		text, err := w.Text(nil)
		if err != nil && !errors.Is(err, ErrDamaged) {
			t.Fatal(err)
		}
		if err == nil {
			texts = append(texts, string(text))
		}
	}
}

func TestBlocksComeBack(t *testing.T) {
	file, texts := three()
	got, w := read(t, file)
	if !slices.Equal(got, texts) || w.End() != int64(len(file)) || w.Lost() {
		t.Fatalf("%q, %d of %d, %v", got, w.End(), len(file), w.Lost())
	}
	if packed := Append(nil, 1, 1, []byte(texts[0]), Small); len(packed) > 80 {
		t.Errorf("%d bytes of %d", len(packed), len(texts[0]))
	}
}

// TestTornAnywhere: of a file that ends anywhere the whole blocks are there, and where the last of them ends is told.
func TestTornAnywhere(t *testing.T) {
	file, texts := three()
	for size := range file {
		got, w := read(t, file[:size])
		if !slices.Equal(got, texts[:len(got)]) || w.Lost() {
			t.Fatalf("at %d: %q, %v", size, got, w.Lost())
		}
		whole := Append(Append(nil, 7, 2, []byte(texts[0]), Plain), 9, 3, []byte(texts[1]), Small)
		if want := len(whole); size >= want && w.End() != int64(want) {
			t.Fatalf("at %d: ends at %d", size, w.End())
		}
	}
}

// TestAnyBitFlipped costs its block, and no other; no text is another than was written.
func TestAnyBitFlipped(t *testing.T) {
	file, texts := three()
	for bit := range len(file) * 8 {
		file[bit/8] ^= 1 << (bit % 8)
		got, w := read(t, file)
		if len(got) != 2 {
			t.Fatalf("bit %d: %q", bit, got)
		}
		for _, text := range got {
			if !slices.Contains(texts, text) {
				t.Fatalf("bit %d: %q", bit, text)
			}
		}
		_ = w
		file[bit/8] ^= 1 << (bit % 8)
	}
}

// TestWhatFollowsIsUnknown: where no head is right behind the last block, nobody can tell what was there; a block that is torn says it.
func TestWhatFollowsIsUnknown(t *testing.T) {
	file, _ := three()
	for _, c := range []struct {
		name  string
		after []byte
		lost  bool
	}{
		{"nothing", nil, false},
		{"a part of a head", file[:headSize-1], false},
		{"a head", file[:headSize+3], false},
		{"zeros", make([]byte, 4096), true},
	} {
		_, w := read(t, append(slices.Clone(file), c.after...))
		if w.Lost() != c.lost || w.End() != int64(len(file)) {
			t.Errorf("%s: %v, ends at %d of %d", c.name, w.Lost(), w.End(), len(file))
		}
	}
}

// counted is a file that counts what is read of it.
type counted struct {
	*bytes.Reader
	bytes int
}

func (c *counted) ReadAt(b []byte, at int64) (int, error) {
	n, err := c.Reader.ReadAt(b, at)
	c.bytes += n
	return n, err
}

// TestTheMagicManyTimes: behind a head that is damaged each of them is tried, and the file is read a few times over for that.
func TestTheMagicManyTimes(t *testing.T) {
	file := Append(nil, 1, 1, bytes.Repeat([]byte(magic), 64<<10), Plain)
	file[0]++
	file = Append(file, 2, 1, []byte("behind it"), Plain)
	c := &counted{Reader: bytes.NewReader(file)}
	w := Over(c, int64(len(file)))
	if h, more, err := w.Next(); err != nil || !more || h.First != 2 {
		t.Fatalf("%+v, %v, %v", h, more, err)
	}
	if most := 20 * len(file); c.bytes > most {
		t.Errorf("%d bytes are read of %d", c.bytes, len(file))
	}
}

// TestWordsOfAnAgent: what looks like a block in the text of one whose head is damaged is not believed where its numbers are not those that are due.
func TestWordsOfAnAgent(t *testing.T) {
	for _, first := range []uint64{1, 9, 1 << 33, 1<<53 - 1, 1 << 53, 1<<64 - 2} {
		words := Append(nil, first, 1, []byte("not so"), Plain)
		file := Append(nil, 7, 3, []byte("before"), Plain)
		at := len(file)
		file = Append(file, 10, 5, append([]byte("it says "), words...), Plain)
		file[at+9]++
		file = Append(file, 15, 1, []byte("behind"), Plain)
		if texts, _ := read(t, file); !slices.Equal(texts, []string{"before", "behind"}) {
			t.Errorf("%d: %q", first, texts)
		}
	}
}

// TestReadersDoNotHoldUpWriters: while all that may be expanded at once is, blocks are compressed, and the other way round.
func TestReadersDoNotHoldUpWriters(t *testing.T) {
	file := Append(nil, 1, 1, []byte(strings.Repeat("some text ", 100)), Small)
	for name, c := range map[string]struct {
		busy chan struct{}
		do   func()
	}{
		"compress": {unpacking, func() { Append(nil, 1, 1, []byte(strings.Repeat("some text ", 100)), Small) }},
		"expand":   {packing, func() { read(t, file) }},
	} {
		for range cap(c.busy) {
			c.busy <- struct{}{}
		}
		done := make(chan struct{})
		go func() { // ends at once, or when there is room
			defer close(done)
			c.do()
		}()
		select {
		case <-done:
		case <-time.After(10 * time.Second):
			t.Errorf("%s waits", name)
		}
		for range cap(c.busy) {
			<-c.busy
		}
		<-done
	}
}

// TestBrokenFrame: a payload whose sum is right and that no decoder takes is damaged, and what is there before it stays.
func TestBrokenFrame(t *testing.T) {
	payload := "(\xb5/\xfd\x05000000000000000000000"
	for _, coding := range []Coding{Small, Fast, 7} {
		file := Append(nil, 1, 1, []byte(payload), Plain)
		file[4] = byte(coding)
		binary.LittleEndian.PutUint32(file[20:], 1000)
		binary.LittleEndian.PutUint32(file[32:], crc32.Checksum(file[:32], castagnoli))
		w := Over(bytes.NewReader(file), int64(len(file)))
		if _, more, err := w.Next(); err != nil || !more {
			t.Fatal(more, err)
		}
		if text, err := w.Text([]byte("so far")); !errors.Is(err, ErrDamaged) || string(text) != "so far" {
			t.Errorf("%d: %q, %v", coding, text, err)
		}
	}
}
