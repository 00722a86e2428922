package bench

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strconv"
	"strings"
)

// wire is how a broker is spoken to, by hand: its clients stay out of the product's modules, and cost what its protocol costs and no more.
type wire struct {
	hello   string // by everybody who connects
	publish func(to []byte, topic string, line []byte) []byte
	// join has a connection, which has said hello, get what is said from now on. What it gives reads that.
	join func(conn net.Conn, topic string, n int) (net.Conn, error)
}

var wires = map[string]wire{
	"nats":          {natsHello, natsPublish, natsJoin},
	"jetstream":     {natsHello, natsPublish, jetStreamJoin},
	"redis":         {"", func(to []byte, topic string, line []byte) []byte { return resp(to, "PUBLISH", topic, string(line)) }, redisJoin},
	"redis streams": {"", redisAdd, redisStreamJoin},
}

const natsHello = `CONNECT {"verbose":false,"pedantic":false}` + "\r\n"

func natsPublish(to []byte, topic string, line []byte) []byte {
	to = append(append(append(to, "PUB "...), topic...), ' ')
	to = append(strconv.AppendInt(to, int64(len(line)), 10), "\r\n"...)
	return append(append(to, line...), "\r\n"...)
}

func natsJoin(conn net.Conn, topic string, _ int) (net.Conn, error) {
	return conn, question(conn, "SUB "+topic+" a\r\nPING\r\n", "PONG\r\n")
}

// question says something, and reads until the answer has come.
func question(conn net.Conn, text, answer string) error {
	if _, err := io.WriteString(conn, text); err != nil {
		return err
	}
	var got []byte
	for buf := make([]byte, 4096); !bytes.Contains(got, []byte(answer)); {
		n, err := conn.Read(buf)
		if err != nil {
			return err
		}
		got = append(got, buf[:n]...)
	}
	if bytes.Contains(got, []byte(`"error":`)) || bytes.Contains(got, []byte("-ERR")) {
		return fmt.Errorf("the server says %s", got)
	}
	return nil
}

// jetStream is a stream of all agents, which is on the disk.
func jetStream(conn net.Conn) error {
	const config = `{"name":"S","subjects":["s.*"],"storage":"file","max_bytes":268435456}`
	return question(conn, natsHello+"SUB made.* m\r\n"+string(natsPublish(nil, "$JS.API.STREAM.CREATE.S made.s", []byte(config))), `"config":`)
}

// jetStreamJoin has a consumer of its own push what is new.
func jetStreamJoin(conn net.Conn, topic string, n int) (net.Conn, error) {
	config := fmt.Sprintf(`{"stream_name":"S","config":{"deliver_subject":"d.%d","deliver_policy":"new","ack_policy":"none","filter_subject":%q}}`, n, topic)
	ask := fmt.Sprintf("SUB d.%d a\r\nSUB made.%d m\r\n", n, n) + string(natsPublish(nil, fmt.Sprintf("$JS.API.CONSUMER.CREATE.S made.%d", n), []byte(config)))
	return conn, question(conn, ask, `"config":`)
}

// resp appends a command of Redis.
func resp(to []byte, words ...string) []byte {
	to = append(strconv.AppendInt(append(to, '*'), int64(len(words)), 10), "\r\n"...)
	for _, w := range words {
		to = append(strconv.AppendInt(append(to, '$'), int64(len(w)), 10), "\r\n"...)
		to = append(append(to, w...), "\r\n"...)
	}
	return to
}

func redisJoin(conn net.Conn, topic string, _ int) (net.Conn, error) {
	return conn, question(conn, string(resp(nil, "SUBSCRIBE", topic)), ":1\r\n")
}

func redisAdd(to []byte, topic string, line []byte) []byte {
	return resp(to, "XADD", topic, "MAXLEN", "~", "200000", "*", "d", string(line))
}

// redisStreamJoin begins behind the newest entry.
func redisStreamJoin(conn net.Conn, topic string, _ int) (net.Conn, error) {
	r := &streamReader{Conn: conn, in: bufio.NewReaderSize(conn, 256<<10), topic: topic, last: "0-0"}
	if _, err := conn.Write(resp(nil, "XREVRANGE", topic, "+", "-", "COUNT", "1")); err != nil {
		return nil, err
	}
	if err := r.reply(); err != nil {
		return nil, err
	}
	r.have = nil
	return r, r.ask()
}

// streamReader asks for what is new, and again when it has come.
type streamReader struct {
	net.Conn
	in    *bufio.Reader
	topic string
	last  string // entry that was read
	have  []byte // of the answer, not yet read
}

func (r *streamReader) ask() error {
	_, err := r.Conn.Write(resp(nil, "XREAD", "COUNT", "1000", "BLOCK", "0", "STREAMS", r.topic, r.last))
	return err
}

func (r *streamReader) Read(to []byte) (int, error) {
	if len(r.have) == 0 {
		r.have = r.have[:0]
		if err := r.reply(); err != nil {
			return 0, err
		}
		if err := r.ask(); err != nil {
			return 0, err
		}
	}
	n := copy(to, r.have)
	r.have = r.have[n:]
	return n, nil
}

// reply reads one answer: its texts go to have, the name of the last entry to last.
func (r *streamReader) reply() error {
	line, err := r.in.ReadString('\n')
	if err != nil {
		return err
	}
	line = strings.TrimSuffix(line, "\r\n")
	n, err := strconv.Atoi(line[1:])
	switch {
	case line[0] == '-' || err != nil:
		return errors.New("the server says " + line)
	case line[0] == '$' && n >= 0:
		at := len(r.have)
		r.have = slices.Grow(r.have, n+2)[:at+n+2]
		if _, err := io.ReadFull(r.in, r.have[at:]); err != nil {
			return err
		}
		r.have[at+n] = '\n'
		if text := r.have[at : at+n]; n < 40 && bytes.IndexByte(text, '-') > 0 && text[0] >= '0' && text[0] <= '9' {
			r.last = string(text)
		}
	case line[0] == '*':
		for range n {
			if err := r.reply(); err != nil {
				return err
			}
		}
	}
	return nil
}
