package scenarios

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// daemon is a running Ringmaster: in the bubble, or a process.
type daemon interface {
	// start starts it on the data folder; a daemon that was drained or killed can be started again.
	start() error
	// drain ends it in order, as SIGTERM does.
	drain() error
	// kill ends it without a word; midWrite leaves half a record at the end of every journal, lost takes so many events off it,
	// as a disk does that had not kept what it said it had.
	kill(midWrite bool, lost int) error
	// client reaches it; the address is in every request's URL.
	client() *http.Client
	url() string
	token() string
	// settle returns when everything that follows from what was done has been done, as far as the world can tell.
	settle()
	// puppet is the agent of a session that the steps play; nil: this world has none.
	puppet(id string) *puppet
	// problems are what only the world itself sees: leaks, errors in the daemon's log, dead letters. Asked once, after the end.
	problems(errorsDeclared bool) []string
	// agentToken is the token of a session's agent; empty: it has none, or this world does not know it.
	agentToken(session string) string
	// play says what the program of an agent does from its next start on: a script of package fake.
	play(agent, script string) error
	// endpoint is where such a program can be attached to.
	endpoint(agent string) (string, error)
	// journals is the folder that holds the sessions' folders.
	journals() string
}

// world is what the steps of one scenario act on.
type world struct {
	t       *testing.T
	ctx     context.Context
	file    *file
	update  bool
	root    string // the folder that sessions work in
	limits  map[string]string
	daemon  daemon
	started bool
	patient time.Duration // how long a check waits for what must come; virtual in the bubble

	sessions map[string]string // name to id
	order    []string          // names, as created
	streams  map[string]*stream
	pollers  map[string]*poller
	last     *answer
	aliases  []string // what differs from run to run and what it is called in goldens, in pairs
	loose    bool     // times differ from run to run, too
	era      string   // the MCP revision of clients whose step names none
	clients  map[string]*mcpClient
}

// answer is the last answer over HTTP, or of a tool.
type answer struct {
	code   string // of a tool: result or refusal
	status int
	header http.Header
	body   []byte
}

func newWorld(t *testing.T, f *file, update bool) *world {
	return &world{
		t: t, ctx: t.Context(), file: f, update: update, limits: map[string]string{},
		sessions: map[string]string{}, streams: map[string]*stream{}, pollers: map[string]*poller{}, clients: map[string]*mcpClient{}, era: oldEra,
	}
}

// run plays the steps and then makes the checks that every scenario ends with.
func (w *world) run() {
	w.play()
	for _, p := range w.finish() {
		w.t.Errorf("%s: after the last step: %s", w.file.path, p)
	}
}

func (w *world) play() {
	for _, s := range w.file.steps {
		v, a, err := find(vocabulary(), s)
		if err == nil {
			err = v.do(w, a)
		}
		if err != nil {
			w.t.Errorf("%s, steps line %d: %s\n%v", w.file.path, s.line, s.text, err)
			break
		}
		w.daemon.settle()
	}
}

// ensure starts the daemon before the first step that needs it: limits come before.
func (w *world) ensure() error {
	if w.started {
		return nil
	}
	w.started = true
	return w.daemon.start()
}

// finish ends everything and says what is wrong.
func (w *world) finish() []string {
	if !w.started {
		return w.daemon.problems(w.file.head.errors != "")
	}
	var problems []string
	for _, name := range w.order {
		problems = append(problems, w.checkPatches(name)...)
	}
	for _, s := range w.streams {
		s.close()
	}
	w.daemon.settle()
	problems = append(problems, w.checkChannels()...)
	w.daemon.settle()
	if err := w.daemon.drain(); err != nil {
		problems = append(problems, "drain: "+err.Error())
	}
	for _, name := range w.order {
		problems = append(problems, w.checkJournal(name)...)
	}
	return append(append(problems, w.checkFolder()...), w.daemon.problems(w.file.head.errors != "")...)
}

// id is a session's id; a name that no step gave is taken for an id.
func (w *world) id(name string) string {
	if id, ok := w.sessions[name]; ok {
		return id
	}
	return name
}

// data is a file of the scenario, or the word itself where there is no such file. The newline at the end of a file that is
// called .txt is the archive's, not the file's.
func (w *world) data(name string) []byte {
	if b, ok := w.file.content(name); ok {
		b = w.expand(b)
		if strings.HasSuffix(name, ".txt") {
			b = bytes.TrimSuffix(b, []byte("\n"))
		}
		return b
	}
	return []byte(name)
}

// repeated is what shortened writes.
var repeated = regexp.MustCompile(`(.)\{(\d{3,7})\}`)

// revision is how far the list of sessions is. It names the daemon's run, which is random.
var revision = regexp.MustCompile(`"revision":"[A-Z2-7]{10}\.\d+"`)

// endpointName is where an agent's program can be attached to.
var endpointName = regexp.MustCompile(`\$ENDPOINT\((\w+)\)`)

// expand puts this run's values for the names that files use.
func (w *world) expand(b []byte) []byte {
	b = repeated.ReplaceAllFunc(b, func(m []byte) []byte {
		n, err := strconv.Atoi(string(m[2 : len(m)-1]))
		if err != nil || n < longRun {
			return m
		}
		return bytes.Repeat(m[:1], n)
	})
	b = bytes.ReplaceAll(b, []byte("$ROOT"), []byte(w.root))
	b = endpointName.ReplaceAllFunc(b, func(m []byte) []byte {
		url, err := w.daemon.endpoint(string(endpointName.FindSubmatch(m)[1]))
		if err != nil {
			w.t.Error(err)
		}
		w.aliases = append(w.aliases, url, string(m))
		return []byte(url)
	})
	for name, id := range w.sessions {
		b = bytes.ReplaceAll(b, []byte("$ID("+name+")"), []byte(id))
	}
	return b
}

// golden compares what was seen with a file of the scenario.
func (w *world) golden(name string, got []byte) error {
	for i := 0; i < len(w.aliases); i += 2 {
		got = bytes.ReplaceAll(got, []byte(w.aliases[i]), []byte(w.aliases[i+1]))
	}
	got = revision.ReplaceAllLiteral(shortened(got), []byte(`"revision":"$REVISION"`))
	var normal func([]byte) []byte
	if w.loose {
		normal = timeless
	}
	return w.file.compare(name, w.era, got, w.update && !w.loose, normal)
}

// longRun is how often a byte is repeated before goldens count it instead.
const longRun = 500

// shortened writes x{150000} for a byte that is repeated so often.
func shortened(b []byte) []byte {
	var out []byte
	for i := 0; i < len(b); {
		n := 1
		for i+n < len(b) && b[i+n] == b[i] {
			n++
		}
		if n >= longRun {
			out = fmt.Appendf(out, "%c{%d}", b[i], n)
		} else {
			out = append(out, b[i:i+n]...)
		}
		i += n
	}
	return out
}

// request asks the daemon and keeps the answer.
func (w *world) request(method, path string, header http.Header, body []byte) (*answer, error) {
	if err := w.ensure(); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(w.ctx, w.patient)
	defer cancel()
	a, err := ask(ctx, w.daemon, method, path, header, body)
	if err == nil {
		w.last = a
	}
	return a, err
}

func ask(ctx context.Context, d daemon, method, path string, header http.Header, body []byte) (*answer, error) {
	req, err := http.NewRequestWithContext(ctx, method, d.url()+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", "Bearer "+d.token())
	if len(body) > 0 {
		req.Header.Set("Content-Type", "application/json")
	}
	for k, v := range header {
		if req.Header[k] = v; v[0] == "" {
			delete(req.Header, k)
		}
	}
	if host := header.Get("Host"); host != "" {
		req.Host = host
	}
	res, err := d.client().Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	return &answer{status: res.StatusCode, header: res.Header, body: text}, err
}

// post sends JSON and wants a success.
func (w *world) post(path string, header http.Header, body any) (*answer, error) {
	b, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	return w.request(http.MethodPost, path, header, b)
}

func (a *answer) wantSuccess() error {
	if a.status/100 != 2 {
		return &answerError{a.status, a.body}
	}
	return nil
}

// answerError is an answer that was no success.
type answerError struct {
	status int
	body   []byte
}

func (e *answerError) Error() string { return fmt.Sprintf("answer %d: %s", e.status, e.body) }

// log reads a session's log.
func (w *world) log(name, since string) ([]byte, error) {
	if err := w.ensure(); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(w.ctx, w.patient)
	defer cancel()
	path := "/sessions/" + w.id(name) + "/log"
	if since != "" {
		path += "?since=" + since
	}
	a, err := ask(ctx, w.daemon, http.MethodGet, path, nil, nil)
	if err != nil {
		return nil, err
	}
	return a.body, a.wantSuccess()
}

func (w *world) events(name string) ([]protocol.Event, error) {
	b, err := w.log(name, "")
	if err != nil {
		return nil, err
	}
	return decodeLog(b)
}

func decodeLog(b []byte) ([]protocol.Event, error) {
	var events []protocol.Event
	for e, err := range protocol.Events(bytes.NewReader(b)) {
		if err != nil {
			return events, err
		}
		events = append(events, e)
	}
	return events, nil
}

// errNever says that what a check waits for did not come.
var errNever = errors.New("it did not come in time")

// await follows a session until its log satisfies a condition; time passes meanwhile.
func (w *world) await(name string, met func([]protocol.Event) bool) error {
	if err := w.ensure(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(w.ctx, w.patient)
	defer cancel()
	for {
		err := w.follow(ctx, name, met)
		if err == nil || ctx.Err() != nil || !errors.Is(err, io.EOF) {
			if err != nil && ctx.Err() != nil {
				return errNever
			}
			return err
		}
		// The stream has ended: the session is over, or was put away. The log says the rest.
		events, err := w.events(name)
		switch {
		case err != nil:
			return err
		case met(events):
			return nil
		case len(events) > 0 && events[len(events)-1].Payload.Type() == protocol.TypeSessionEnd:
			return errNever
		}
	}
}

// follow reads one stream until the condition holds at the newest event; io.EOF: the stream ended first.
func (w *world) follow(ctx context.Context, name string, met func([]protocol.Event) bool) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	res, err := openStream(ctx, w.daemon, w.id(name), "", "")
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode == http.StatusNoContent {
		return io.EOF
	}
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("stream: status %d", res.StatusCode)
	}
	var newest uint64
	if _, err := fmt.Sscan(res.Header.Get("X-Session-Version"), &newest); err != nil {
		return fmt.Errorf("stream: X-Session-Version: %w", err)
	}
	var events []protocol.Event
	frames := protocol.NewSSEReader(res.Body, 0)
	for {
		f, err := frames.Next()
		if err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			return io.EOF
		}
		m, err := protocol.DecodeMessage(bytes.Clone(f.Data))
		if err != nil {
			return err
		}
		if e, ok := m.(*protocol.Event); ok {
			events = append(events, *e)
		}
		if n := len(events); n > 0 && events[n-1].Seq >= newest && met(events) {
			return nil
		}
	}
}

// checkFolder finds files that were meant to be there for a moment only.
func (w *world) checkFolder() []string {
	var problems []string
	err := filepath.WalkDir(w.daemon.journals(), func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if n := d.Name(); !d.IsDir() && (strings.HasSuffix(n, ".new") || strings.HasSuffix(n, ".tmp") || strings.HasPrefix(n, ".")) {
			problems = append(problems, "temporary file left: "+path)
		}
		return nil
	})
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		problems = append(problems, err.Error())
	}
	return problems
}
