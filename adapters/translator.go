package adapters

// Translator holds the state of one connection to an agent, one incarnation long. It is pure: no clock, no disk, no
// goroutine, no randomness. It is total: any bytes give drafts, never a panic, with memory and output bounded by the
// input. It is not safe for concurrent use.
type Translator interface {
	// Start is called once, before everything else; it may write the lines of a handshake.
	Start(out *Output)
	// Line takes one native line, without its newline, valid UTF-8. It may keep no part of line.
	Line(line []byte, out *Output)
	// Command puts a command into native lines.
	Command(cmd Command, out *Output)
	// Sent takes a native line that somebody else sent to the agent: a line of a recording. Lines that Command made are
	// not given to it.
	Sent(line []byte, out *Output)
	// Exit is told that the agent's output has ended; nothing is called after it. The session itself closes what is open.
	Exit(exit Exit, out *Output)
}

// MaxDrafts is how many drafts an Output takes: far more than the history of a session that is told in one line, and few enough that
// a line which is made to become many entries costs little more memory than one of text.
const MaxDrafts = 20_000

// Output collects what one call of a translator has to say. The caller empties and re-uses it.
type Output struct {
	Drafts  []Draft
	Lines   [][]byte // to the agent, in order, without newlines
	Dropped int      // drafts beyond MaxDrafts
}

// Draft adds a draft.
func (o *Output) Draft(d Draft) {
	if len(o.Drafts) >= MaxDrafts {
		o.Dropped++
		return
	}
	o.Drafts = append(o.Drafts, d)
}

// Line adds a line to the agent.
func (o *Output) Line(l []byte) { o.Lines = append(o.Lines, l) }

// Exit says how a connection ended, in one value: the process's end, the end of its output and whether it was asked for
// cannot race.
type Exit struct {
	Code      int      // exit status; -1 when a signal ended it or it was never started
	Signal    string   // "killed", "terminated", …
	Requested bool     // the daemon asked for it
	Drained   bool     // it was not started, for the daemon ends: that is the next one's affair
	Held      bool     // the daemon does not start it as things are: trying again makes no sense before somebody has changed them
	Error     string   // why it could not be started or read
	Stderr    []string // the last lines, for the hint; never parsed
}

// Clean says that the agent ended well.
func (e Exit) Clean() bool { return e.Code == 0 && e.Signal == "" && e.Error == "" }

// MaxText is how much of one text (tool output, message, thinking) goes into the log; the rest is cut, UTF-8 safe, and
// marked (spec §4.5).
const MaxText = 100 << 10

// LeastText and MostText bound what a daemon may set instead, in bytes. An event holds a handful of texts, each byte of which may take six
// in JSON, in a line of at most 16 MiB (spec §3.2).
const (
	LeastText = 1 << 10
	MostText  = 512 << 10
)
