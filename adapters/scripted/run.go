package scripted

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"time"
)

// Options are the surroundings of one agent.
type Options struct {
	// Args are the agent's arguments, without the name of the program and its subcommand. See Flags in SCRIPT.md.
	Args []string
	// Stdin is read by a goroutine of its own until it ends. A Stdin that is an io.Closer is closed before Run returns.
	Stdin  io.Reader
	Stdout io.Writer
	Stderr io.Writer
	// Cwd is the agent's folder; it is only shown.
	Cwd string
	// Script is the JSON of a script; nil: that of --script, else the echo.
	Script []byte
	// Env is the environment; of it, adapters.MCPTokenEnv counts.
	Env []string
	// Terminate is closed to ask the agent to end, as SIGTERM does; nil: never.
	Terminate <-chan struct{}
	// Spawn starts a process for the step spawn; nil: the step says on stderr that it cannot.
	Spawn func(Spawn) error
	// Sessions keeps the sessions; nil: files in the folder of --session-dir, else nowhere.
	Sessions Sessions
	// Seed makes ids repeatable; 0: they are random.
	Seed uint64
}

// Run is the agent. It returns when its stdin ends, when it is asked to terminate, or when the script says so; when ctx
// ends it returns at once, without saying or keeping anything more, as a killed process does. It reads the time and
// waits with package time only, so that it runs in a synctest bubble.
func Run(ctx context.Context, o Options) Exit {
	a, err := newAgent(ctx, o)
	if err != nil {
		fmt.Fprintf(o.Stderr, "Error: %v\n", err)
		return Exit{Code: 1}
	}
	stop := make(chan struct{})
	read := make(chan struct{})
	go func() {
		defer close(read)
		a.in.read(o.Stdin, stop)
	}()
	end := a.serve()
	close(stop)
	if c, ok := o.Stdin.(io.Closer); ok {
		_ = c.Close()
		<-read
	}
	return end
}

// flags are what the agent takes of Pi's arguments, and its own.
type flags struct {
	sessionID, sessionDir, model, script, mcp string
	mcpTimeout                                time.Duration
	seed                                      uint64
}

func parseFlags(args []string) (f flags, err error) {
	set := flag.NewFlagSet("scripted-agent", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	set.String("mode", "rpc", "")
	set.StringVar(&f.sessionID, "session-id", "", "")
	set.StringVar(&f.sessionDir, "session-dir", "", "")
	set.StringVar(&f.model, "model", models[0].ID, "")
	set.StringVar(&f.script, "script", "", "")
	set.StringVar(&f.mcp, "mcp", "", "")
	set.DurationVar(&f.mcpTimeout, "mcp-timeout", time.Minute, "")
	set.Uint64Var(&f.seed, "seed", 0, "")
	if err = set.Parse(args); err == nil && set.NArg() > 0 {
		err = fmt.Errorf("unexpected argument %q", set.Arg(0))
	}
	if mode := set.Lookup("mode").Value.String(); err == nil && mode != "rpc" {
		err = fmt.Errorf("mode %q: only rpc is there", mode)
	}
	return f, err
}

func newAgent(ctx context.Context, o Options) (*agent, error) {
	f, err := parseFlags(o.Args)
	if err != nil {
		return nil, err
	}
	text := o.Script
	if text == nil && f.script != "" {
		if text, err = readScript(f.script); err != nil {
			return nil, err
		}
	}
	script := &Script{}
	if text != nil {
		if script, err = Parse(text); err != nil {
			return nil, err
		}
	}
	m, ok := findModel("", f.model)
	if !ok {
		return nil, fmt.Errorf("model not found: %s", f.model)
	}
	store := o.Sessions
	switch {
	case store != nil:
	case f.sessionDir != "":
		store = Files{Dir: f.sessionDir}
	default:
		store = &Memory{}
	}
	ids := newIDs(max(o.Seed, f.seed))
	id := f.sessionID
	if id == "" {
		id = ids.uuid()
	}
	session, existed, err := openSession(store, id, o.Cwd, m, ids)
	if err != nil {
		return nil, err
	}
	if f.sessionID != "" && !existed {
		fmt.Fprintf(o.Stderr, "Warning: No project session found with id '%s'; creating a new session with that id.\n", id)
	}
	out := &output{killed: ctx.Done(), to: bufio.NewWriterSize(o.Stdout, 64<<10)}
	in := &input{killed: ctx.Done(), term: o.Terminate, lines: make(chan []byte, 16), out: out, deaf: map[string]bool{}}
	in.ignore(script.Ignore)
	talk := &talk{out: out, in: in, session: session, cwd: o.Cwd}
	texts := texts{}
	a := &agent{out: out, in: in, session: session, player: player{
		script: script, out: out, in: in, session: session, talk: talk, texts: texts, queue: queue{out: out},
		tools: tools{
			out: out, in: in, talk: talk, dialogs: dialogs{out: out, in: in, ids: ids}, texts: texts,
			server: newMCPServer(f.mcp, f.mcpTimeout, o.Env),
		},
		faults: faults{out: out, in: in, stderr: o.Stderr, spawn: o.Spawn},
	}}
	in.command, in.aborted = a.command, a.aborted
	return a, nil
}

// readScript reads a script file, or one of the embedded scripts by its name.
func readScript(name string) ([]byte, error) {
	if text, ok := Example(name); ok {
		return text, nil
	}
	text, err := os.ReadFile(name)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("script %s: no such file, and none of the built-in scripts %v", name, Examples())
	}
	return text, err
}
