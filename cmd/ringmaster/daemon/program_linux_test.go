package daemon

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// TestUnchangedMappings: only what cannot be written to, is of the program's file, and has nothing of its own is left.
func TestUnchangedMappings(t *testing.T) {
	const maps = `00400000-00500000 r-xp 00000000 08:01 11 /bin/ringmaster
Rss:                 100 kB
Anonymous:             0 kB
00500000-00600000 r--p 00100000 08:01 11 /bin/ringmaster
Anonymous:             4 kB
00600000-00700000 r--p 00200000 08:01 11 /bin/ringmaster
Anonymous:             0 kB
00700000-00800000 rw-p 00300000 08:01 11 /bin/ringmaster
Anonymous:             0 kB
00800000-00900000 r-xp 00000000 08:01 12 /lib/libc.so.6
Anonymous:             0 kB
00900000-00a00000 rw-p 00000000 00:00 0
Anonymous:             0 kB
VmFlags: rd ex
`
	want := []mapping{{0x400000, 0x500000}, {0x600000, 0x700000}}
	if got := unchanged(maps, "/bin/ringmaster"); !slices.Equal(got, want) {
		t.Errorf("%x, want %x", got, want)
	}
	if got := unchanged("nonsense\nx-y r-xp /bin/ringmaster\nAnonymous: 0 kB\n", "/bin/ringmaster"); len(got) != 0 {
		t.Errorf("%x", got)
	}
}

// TestProgramIsLeft: this program goes on, with less of its file in memory.
// Proves: I15.6/program
func TestProgramIsLeft(t *testing.T) {
	self, err := os.Readlink("/proc/self/exe")
	if err != nil {
		t.Fatal(err)
	}
	resident := func() (sum int) {
		maps, err := os.ReadFile("/proc/self/smaps")
		if err != nil {
			t.Fatal(err)
		}
		ours := false
		for line := range strings.Lines(string(maps)) {
			var kib int
			if n, _ := fmt.Sscanf(line, "Rss: %d kB", &kib); n == 1 && ours {
				sum += kib
			} else if strings.Contains(line, "-") {
				ours = strings.HasSuffix(line, " "+self+"\n")
			}
		}
		return sum
	}
	before := resident()
	leaveProgram()
	if after := resident(); after >= before || after == 0 {
		t.Errorf("%d KiB of the program in memory, %d before", after, before)
	}
}
