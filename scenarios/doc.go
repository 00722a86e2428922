// Package scenarios holds behaviour as files: given, when, then. One file is one scenario; its folder is the group of
// requirements that it belongs to. required.txt says which requirement of the seeds is shown by which file or test, sections.txt
// what the seeds consist of, and a test holds all of it together. The package has no code of its own, only tests.
//
// # A file
//
// A file is a txtar archive (golang.org/x/tools/txtar). Before its first file stands the head, KEY: VALUE by line:
//
//	Requirement   the group of requirements, as its document calls it
//	Scenario      the title
//	Spec          where it is written, and what else a reader should know
//	Proves        ids of rows of required.txt, each of which names this scenario in turn
//	process       yes: the file also runs against the built program
//	errors        why the daemon logs errors here; without it an error line in the daemon's log fails the scenario
//
// The file "steps" has the steps; the other files are what steps send and what they compare with. A file that no step
// names is an error. `go test -update` rewrites the files that are compared with by what was seen: review every change.
//
// # Steps
//
// A step is KEYWORD, the words of a verb, and arguments; # begins a line of comment. The keywords are given, when, then, and
// and, which repeats the one before. A preparation stands under given or when, an action under given or when, a check
// under then or given. Arguments are bare words, "quoted strings" with Go's escapes, or names of files of the archive.
// There are no conditions, loops or variables: what needs them is a Go test.
//
// Preparations:
//
//	session NAME [agent AGENT] [with FILE]   creates a session; FILE has further members of the request. Agents: scripted
//	                                         (the default: runs by itself), puppet (says what the steps write, and answers
//	                                         housekeeping as Pi does), mute (says only what the steps write), missing, troupe (says
//	                                         drafts that the steps write, also those of sub-agents: troupe_test.go)
//	child NAME of SESSION called NATIVE      gives the session of a sub-agent a name; NATIVE is the agent's own id of it
//	stream NAME on SESSION [since CURSOR]    connects a reader to the event stream; it keeps all it is shown
//	mcp NAME [at REVISION] [of SESSION]      connects an MCP client, made with the official SDK, and keeps all it is told; of a session,
//	                                         with the token of its agent, in the bubble only
//	poller NAME on SESSION [by CLIENT]       polls the six-field view over MCP: a client of its own, or CLIENT beside all else it does
//	script FILE [for AGENT]                  what scripted agents do from their next start on (adapters/scripted/SCRIPT.md); or what the
//	                                         program of claude, codex, droid, opencode or pi does, before the first step that needs the daemon
//	limit NAME VALUE                         before the first step that needs the daemon: sessions, queue, restarts, ring (bytes),
//	                                         passive and stall (durations), streams, durability; at any time: disk (bytes that still
//	                                         fit, or none)
//
// Actions:
//
//	agent SESSION writes WHAT [bytes without newline]
//	                                         a puppet says a file of lines of Pi's protocol, or a number of bytes
//	agent SESSION exits HOW                  a status, or the name of a signal
//	prompt SESSION TEXT [steer] [follow-up] [key KEY] [by CLIENT]
//	                                         TEXT is a file or the text itself; a file called *.steps becomes a prompt that carries
//	                                         its steps to the scripted agent, shown as $SCRIPT(FILE) in what is compared
//	cancel SESSION PROMPT                    takes a prompt out of the queue
//	answer SESSION REQUEST FILE              answers an approval or a question; REQUEST@NAME is that of a sub-agent
//	interrupt SESSION
//	end SESSION
//	clock HOW DURATION                       in the bubble only: it advances, and so much time passes; or it jumps, also back: somebody
//	                                         sets the daemon's clock, and no time passes
//	NAME sets level LEVEL                    of an MCP client, from which on it is told: logging/setLevel, in the new era with each call
//	NAME watches SESSION [since INDEX]       is told what happens: by session_watch and pushes, in the new era by session_events that
//	                                         follow, one call after the other; of what comes after INDEX, or from now on
//	NAME subscribes to SESSION               to the resource of its log; whenever it is woken it reads what is new
//	NAME calls TOOL [with FILE] [making SESSION]
//	                                         FILE has the arguments; who calls session_message watches from there
//	NAME disconnects                         a stream; or an MCP client, in the middle of what it does
//	NAME reconnects [anew] [from CURSOR]     a stream with Last-Event-ID: the last id it got, or CURSOR. An MCP client of the old era
//	                                         as its transport does; anew, and in the new era, from the last item that it knows
//	NAME stops reading                       until it disconnects or reconnects
//	poll NAME [since INDEX] [max N]          from where the last poll ended, or from INDEX
//	daemon restarts                          in order, as by SIGTERM
//	daemon is killed [mid write] [losing N events]
//	                                         as by SIGKILL; then a new one starts on what is on the disk: with half a record at the end
//	                                         of each journal; without its last N events, as a disk leaves it that had lied
//	http METHOD PATH [FILE]                  FILE is the body, after header lines and an empty line if it does not begin with { or [;
//	                                         /sessions/NAME stands for the session's id
//
// Checks:
//
//	log SESSION [since CURSOR] equals FILE
//	NAME received FILE                       what the stream was shown, the MCP client told, or the poll returned, since the last such
//	                                         check; # 204 and # closed are the stream's own ends. nothing is no file
//	answer is CODE [FILE]                    of the last request: status, some headers, body; of the last tool: result or refusal, and it
//	agent SESSION heard FILE                 what a puppet was told since the last such check, without housekeeping
//	SESSION is STATE                         waits for the state; idle also means that no prompt waits
//	count of TYPE in SESSION is N            events of a type
//	items of SESSION [as pushed] equal FILE  the six-field view of the whole log, as polls return it or as it is pushed
//	state of SESSION [at CURSOR] equals FILE the daemon's fold
//	reconstruction of SESSION equals reconstruction of NAME
//	                                         the fold of the log, of what the stream was shown, and the daemon's own are one
//
// In files $ROOT is the folder that the session works in, $DATA the data folder, $ID(NAME) a session's id, $ENDPOINT(AGENT) where the
// program of an agent can be attached to, $REVISION a revision of the list of sessions, and x{600} the byte x so many times. The last
// newline of a file called *.txt is not sent.
//
// # Agents' own programs
//
// A script for an agent holds the native lines that its program reads and writes, as they were recorded, and how it ends: package
// scenarios/fake has the grammar. The daemon finds the program, starts it and translates what it says as it does with the real one. A
// line that the script does not expect, and a line or a start that was not played, fail the scenario. Files that scripts use lie in
// the scenario's folder and are called *.script.
//
// # Two eras
//
// A file with an MCP client or a poller is played twice, with clients of revision 2025-11-25 and of 2026-07-28, where the step
// does not name a revision. What the new era shows otherwise is compared with the file 2026-07-28/FILE: there an item has its
// real index and no session_id, and a growing message is told by its pieces. -update writes such a file where it is needed.
//
// # What every scenario ends with
//
// Checks that nobody can forget: each log read in two pieces is the whole, byte for byte, for several cuts. The daemon
// drains. Then each journal on the disk is a log without gaps from session_start on, with time that never goes back,
// every entry, turn and request opened once and closed once, deltas in between, nothing after session_end. Every stream
// was shown consecutive numbers, ids that are the cursors, heartbeats that name the last event of the connection, and only
// what the log has, byte for byte, over all connections. No agent, goroutine, process or temporary file is left, no
// message reached nobody, and the daemon logged no error that the head does not declare.
//
// And all channels agree, whether or not a step has used them: of each session the stream from its beginning is the log; MCP
// clients of both eras poll it, in small pages and in large ones, and have it pushed or follow it from its beginning: they get
// the views of the log and nothing else. What the clients of the steps were told is compared as well: nothing lost, doubled,
// changed or out of order, and, while they were there, nothing late.
//
// # Two sizes
//
// TestBubble plays every file against a whole daemon (supervisor, HTTP server over pipes, agents as goroutines, those that listen
// over pipes as well) inside a testing/synctest bubble: time is virtual and begins at 2000-01-01, ids are counted, so that what is
// compared is exact to the byte. After each step everything that follows from it has happened; time passes only where a clock
// advances, in checks that wait, and while a request is being answered.
//
// TestProgram plays the files marked "process: yes" against the built program, with real processes and real time; a script's program
// is the test binary under the agent's name. There times, sequence numbers and the agent's own ids are not compared, and neither are
// entry_meta events, which come when the agent has said its ids.
//
// TestHandover and TestNothingLeft prove what needs a real process and no script: see there. -short leaves out
// everything that starts processes.
package scenarios
