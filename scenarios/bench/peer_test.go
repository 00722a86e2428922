package bench

import (
	"bufio"
	"flag"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

var (
	natsServer  = flag.String("nats", "", "the program nats-server; empty: it is not measured")
	redisServer = flag.String("redis", "", "the program redis-server; empty: it is not measured")
)

// peer is what agents can be heard through: the daemon, the reference, or a broker with a bridge that reads the agents.
type peer struct {
	name     string
	server   *process
	bridge   *process // nil: the server reads the agents itself
	wire     wire
	sessions []string // of the daemon; otherwise the names of agents
	joined   int
}

// peers are all that there are, each with so many agents. What is not there is told.
func peers(t *testing.T, agents int) (all []*peer) {
	t.Helper()
	p, r := startDaemon(t, ""), startReference(t, agents)
	all = append(all, &peer{name: "Ringmaster", server: p, sessions: p.sessions(agents)}, &peer{name: "reference", server: r, sessions: r.sessions(agents)})
	if *natsServer == "" {
		t.Log("NATS is left out: there is no nats-server (-nats)")
	} else {
		all = append(all, startPeer(t, "NATS", "nats", agents), startPeer(t, "NATS JetStream", "jetstream", agents))
	}
	if *redisServer == "" {
		t.Log("Redis is left out: there is no redis-server (-redis)")
	} else {
		all = append(all, startPeer(t, "Redis", "redis", agents), startPeer(t, "Redis streams", "redis streams", agents))
	}
	if len(all) == 2 {
		t.Skip("there is no peer: tools/bench-system.sh looks for nats-server, which it builds, and for redis-server")
	}
	return all
}

// startPeer starts a broker as it comes, with what it needs to keep messages on the disk where its wire is one that does, and a bridge.
func startPeer(t *testing.T, name, kind string, agents int) *peer {
	t.Helper()
	dir := t.TempDir()
	port := freePort(t)
	var cmd *exec.Cmd
	switch kind {
	case "nats":
		cmd = exec.Command(*natsServer, "-a", "127.0.0.1", "-p", port)
	case "jetstream":
		cmd = exec.Command(*natsServer, "-a", "127.0.0.1", "-p", port, "-js", "-sd", dir)
	case "redis":
		cmd = exec.Command(*redisServer, "--bind", "127.0.0.1", "--port", port, "--dir", dir, "--save", "")
	case "redis streams":
		cmd = exec.Command(*redisServer, "--bind", "127.0.0.1", "--port", port, "--dir", dir, "--save", "",
			"--appendonly", "yes", "--appendfsync", "everysec", "--auto-aof-rewrite-percentage", "0")
	default:
		t.Fatal(kind)
	}
	out, err := os.Create(filepath.Join(dir, "log"))
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	out.Close()
	p := &peer{name: name, server: &process{t: t, cmd: cmd, base: "127.0.0.1:" + port}, wire: wires[kind]}
	t.Cleanup(p.server.stop)
	conn := p.dial()
	if kind == "jetstream" {
		if err := jetStream(conn); err != nil {
			t.Fatal(err)
		}
	}
	conn.Close()
	p.bridge = startBridge(t, kind, agents, p.server.base)
	p.sessions = p.bridge.sessions(agents)
	return p
}

func freePort(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
}

// dial connects to a broker, which may have begun just now.
func (p *peer) dial() net.Conn {
	p.server.t.Helper()
	for deadline := time.Now().Add(20 * time.Second); ; {
		conn, err := net.Dial("tcp", p.server.base)
		if err == nil {
			return conn
		}
		if time.Now().After(deadline) {
			p.server.t.Fatal(err)
		}
		<-time.After(10 * time.Millisecond)
	}
}

func startBridge(t *testing.T, kind string, agents int, address string) *process {
	t.Helper()
	dir, pi := folder(t)
	p := &process{t: t, cmd: exec.Command(filepath.Join(dir, "bin", "bridge"), pi, strconv.Itoa(agents), kind, address), root: dir}
	p.cmd.Stderr = os.Stderr
	stdin, err := p.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := p.cmd.StdoutPipe()
	if err == nil {
		err = p.cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	p.base = strings.TrimSpace(line)
	t.Cleanup(func() {
		stdin.Close()
		p.stop()
	})
	return p
}

// join connects a reader to one agent, who hears what is said from now on.
func (p *peer) join(c *crowd, agent int) net.Conn {
	c.t.Helper()
	if p.bridge == nil {
		session := p.sessions[agent]
		return c.open(p.server, session+"/stream"+p.server.newest(session))
	}
	conn := p.dial()
	if _, err := conn.Write([]byte(p.wire.hello)); err != nil {
		c.t.Fatal(err)
	}
	p.joined++
	reader, err := p.wire.join(conn, topic(agent), p.joined)
	if err != nil {
		c.t.Fatal(fmt.Errorf("%s: %w", p.name, err))
	}
	c.conns = append(c.conns, reader)
	return reader
}

func (p *peer) prompt(agent int, text string) {
	p.server.t.Helper()
	if p.bridge != nil {
		p.bridge.prompt(p.sessions[agent], text)
	} else {
		p.server.prompt(p.sessions[agent], text)
	}
}

// rest waits until the agents do.
func (p *peer) rest() {
	p.server.t.Helper()
	if p.server.auth != "" {
		for _, s := range p.sessions {
			p.server.idle(s)
		}
	}
}

// cpu are the seconds of the server, and of it and the bridge.
func (p *peer) cpu() (server, both float64) {
	p.server.t.Helper()
	server = p.server.cpu()
	if both = server; p.bridge != nil {
		both += p.bridge.cpu()
	}
	return server, both
}
