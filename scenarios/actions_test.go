package scenarios

import (
	"bytes"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

func (w *world) agent(name string) (*puppet, error) {
	if p := w.daemon.puppet(w.id(name)); p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("session %s has no agent that steps can play: give it agent puppet", name)
}

func (w *world) agentWrites(a args) error {
	p, err := w.agent(a["SESSION"])
	if err != nil {
		return err
	}
	what := w.data(a["WHAT"])
	if a["bytes"] != "" {
		n, err := strconv.Atoi(a["WHAT"])
		if err != nil {
			return err
		}
		what = bytes.Repeat([]byte("x"), n)
	}
	p.say(what)
	return nil
}

func (w *world) agentExits(a args) error {
	p, err := w.agent(a["SESSION"])
	if err == nil {
		p.end(exitOf(a["HOW"]))
	}
	return err
}

func (w *world) prompt(a args) error {
	body := map[string]any{"text": w.promptText(a["TEXT"])}
	switch {
	case a["steer"] != "":
		body["streamingBehavior"] = protocol.Steer
	case a["follow-up"] != "":
		body["streamingBehavior"] = protocol.FollowUp
	}
	if a["CLIENT"] != "" {
		body["clientId"] = a["CLIENT"]
	}
	header := http.Header{}
	if a["KEY"] != "" {
		header.Set("Idempotency-Key", a["KEY"])
	}
	_, err := w.post("/sessions/"+w.id(a["SESSION"])+"/prompts", header, body)
	return err
}

// promptText is a file, or the word itself. A file of steps becomes a prompt that carries them; goldens show it by its name.
func (w *world) promptText(name string) string {
	text := strings.TrimSuffix(string(w.data(name)), "\n")
	if !strings.HasSuffix(name, ".steps") {
		return text
	}
	block := "\n```script\n" + text + "\n```"
	w.aliases = append(w.aliases, escaped(block), "$SCRIPT("+name+")")
	return "play" + block
}

// escaped is a text as it stands inside a JSON string of the wire.
func escaped(text string) string {
	b, err := jsonLines([]string{text})
	if err != nil {
		return text
	}
	b = bytes.TrimSpace(b)
	return string(b[1 : len(b)-1])
}

func (w *world) cancel(a args) error {
	_, err := w.request(http.MethodDelete, "/sessions/"+w.id(a["SESSION"])+"/prompts/"+a["PROMPT"], nil, nil)
	return err
}

// answer takes REQUEST as r1, or as r1@NAME of a sub-agent.
func (w *world) answer(a args) error {
	request, child, _ := strings.Cut(a["REQUEST"], "@")
	if child != "" {
		request += "@" + w.id(child)
	}
	_, err := w.request(http.MethodPost, "/sessions/"+w.id(a["SESSION"])+"/requests/"+request, nil, w.data(a["FILE"]))
	return err
}

func (w *world) interrupt(a args) error {
	_, err := w.request(http.MethodPost, "/sessions/"+w.id(a["SESSION"])+"/interrupt", nil, nil)
	return err
}

func (w *world) end(a args) error {
	_, err := w.request(http.MethodPost, "/sessions/"+w.id(a["SESSION"])+"/end", nil, nil)
	return err
}

func (w *world) clock(a args) error {
	d, err := time.ParseDuration(a["DURATION"])
	if err != nil {
		return err
	}
	b, bubbled := w.daemon.(*bubble)
	if !bubbled {
		return fmt.Errorf("the clock of a process cannot be moved: leave out process: yes")
	}
	switch a["HOW"] {
	case "advances":
		time.Sleep(d) // virtual
	case "jumps":
		b.set.Add(int64(d))
	default:
		return fmt.Errorf("a clock advances or jumps, it does not %s", a["HOW"])
	}
	return nil
}

func (w *world) reader(name string) (*stream, error) {
	if s := w.streams[name]; s != nil {
		return s, nil
	}
	return nil, fmt.Errorf("there is no stream %s", name)
}

func (w *world) disconnects(a args) error {
	if c := w.clients[a["NAME"]]; c != nil {
		c.disconnects()
		return nil
	}
	s, err := w.reader(a["NAME"])
	if err == nil {
		s.close()
	}
	return err
}

func (w *world) reconnects(a args) error {
	if c := w.clients[a["NAME"]]; c != nil && a["CURSOR"] == "" {
		return c.reconnects(a["anew"] != "")
	}
	s, err := w.reader(a["NAME"])
	if err != nil {
		return err
	}
	s.readOn()
	s.ended() // the connection before must be over: with it comes the cursor
	if a["CURSOR"] != "" {
		return s.open("", a["CURSOR"])
	}
	return s.open("", s.lastID)
}

func (w *world) stopsReading(a args) error {
	if c := w.clients[a["NAME"]]; c != nil {
		c.stopsReading()
		return nil
	}
	s, err := w.reader(a["NAME"])
	if err == nil {
		s.stopReading()
	}
	return err
}

func (w *world) poll(a args) error {
	p := w.pollers[a["NAME"]]
	if p == nil {
		return fmt.Errorf("there is no poller %s", a["NAME"])
	}
	behind, limit := p.page, maxPage
	var err error
	if a["INDEX"] != "" {
		if behind.LastIndex, err = strconv.Atoi(a["INDEX"]); err != nil {
			return err
		}
	}
	if a["N"] != "" {
		if limit, err = strconv.Atoi(a["N"]); err != nil {
			return err
		}
	}
	c := p.client
	if c == nil {
		c = w.newMCP(a["NAME"], w.era)
		defer c.close()
		if err := c.connect(true); err != nil {
			return err
		}
	}
	got, err := c.poll(w.id(p.session), behind, limit)
	if err == nil {
		p.page = got
	}
	return err
}

func (w *world) restarts(args) error {
	if err := w.ensure(); err != nil {
		return err
	}
	if err := w.daemon.drain(); err != nil {
		return err
	}
	return w.daemon.start()
}

func (w *world) killed(a args) error {
	if err := w.ensure(); err != nil {
		return err
	}
	lost := 0
	if a["losing"] != "" {
		var err error
		if lost, err = strconv.Atoi(a["N"]); err != nil {
			return err
		}
	}
	if err := w.daemon.kill(a["mid"] != "", lost); err != nil {
		return err
	}
	return w.daemon.start()
}

// http sends a request as it stands: a file is the body, after header lines and an empty line where it begins with such.
func (w *world) http(a args) error {
	path := a["PATH"]
	for name, id := range w.sessions {
		path = strings.ReplaceAll(path+"/", "/sessions/"+name+"/", "/sessions/"+id+"/")
		path = strings.TrimSuffix(path, "/")
		path = strings.ReplaceAll(path, "/sessions/"+name+"?", "/sessions/"+id+"?")
	}
	var body []byte
	header := http.Header{}
	if a["FILE"] != "" {
		body = w.data(a["FILE"])
		for !bytes.HasPrefix(body, []byte("{")) && !bytes.HasPrefix(body, []byte("[")) {
			line, rest, _ := bytes.Cut(body, []byte("\n"))
			body = rest
			key, value, ok := strings.Cut(string(line), ":")
			if !ok {
				break
			}
			header.Set(key, strings.TrimSpace(value))
		}
	}
	_, err := w.request(a["METHOD"], path, header, body)
	return err
}
