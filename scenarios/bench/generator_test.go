package bench

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"time"
)

// What an agent does for a prompt:
//
//	flood N        N deltas as fast as they are taken, each with one ~, and the last of them marked @END in its place
//	pace N MICROS  N deltas, one every so many microseconds, each with the time at which it is said: @UNIXNANOS.
//	               A third number is when it begins, in Unix milliseconds
//	say N MICROS   N whole messages likewise, with one tool call each
//	write N        N deltas as fast as they are taken, of words that differ
//	repeat N       N deltas as fast as they are taken, on the wire of Pi 0.73: each has the whole message twice
//
// A delta has 120 bytes of text; every 800 of them begin a new message, which stays below the limit of a text.
const deltaText = "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789"

const deltaLine = `{"type":"message_update","usage":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"totalTokens":0},"assistantMessageEvent":{"type":"text_delta","contentIndex":0,"delta":"%s %s"}}` + "\n"

const (
	messageStart = `{"type":"message_start","message":{"role":"assistant","content":[],"stopReason":"pending","timestamp":1}}` + "\n" +
		`{"type":"message_update","assistantMessageEvent":{"type":"text_start","contentIndex":0}}` + "\n"
	messageEnd = `{"type":"message_end","message":{"role":"assistant","content":[{"type":"text","text":"%s"}],"stopReason":"stop","timestamp":1}}` + "\n"
	runEnd     = `{"type":"turn_end","message":{"role":"assistant"},"toolResults":[]}` + "\n" +
		`{"type":"agent_end","messages":[],"willRetry":false}` + "\n" + `{"type":"agent_settled","aborted":false}` + "\n"
	toolStart = `{"type":"tool_execution_start","toolCallId":"c%d","toolName":"read","args":{"path":"a"}}` + "\n"
	toolEnd   = `{"type":"tool_execution_end","toolCallId":"c%d","toolName":"read","result":{"content":[{"type":"text","text":"ok"}]},"isError":false}` + "\n"
)

// generate is the agent. Where there is a choir it lends that its voice.
func generate() {
	switch hall := os.Getenv(choirEnv); {
	case len(os.Args) > 1 && os.Args[1] == "--version":
		fmt.Println("1.5.2")
	case hall != "":
		lend(hall)
	default:
		converse(os.Stdin, os.Stdout, os.Getpid())
	}
}

// converse answers Pi's commands and does what prompts say, one after the other.
func converse(stdin io.Reader, stdout io.Writer, pid int) {
	out := &voice{w: bufio.NewWriterSize(stdout, 64<<10)}
	prompts := make(chan string, 16)
	go func() {
		for p := range prompts {
			out.act(p)
		}
	}()
	defer close(prompts)
	for in := bufio.NewScanner(stdin); in.Scan(); {
		var c struct{ ID, Type, Message string }
		_ = json.Unmarshal(in.Bytes(), &c)
		data := "{}"
		switch c.Type {
		case "get_state":
			data = fmt.Sprintf(`{"model":{"id":"m","provider":"p"},"thinkingLevel":"off","sessionId":"s%d"}`, pid)
		case "get_available_models":
			data = `{"models":[]}`
		case "get_entries":
			data = `{"entries":[]}`
		case "prompt":
			data = `{"disposition":"started"}`
		}
		out.say(fmt.Sprintf(`{"id":%q,"type":"response","command":%q,"success":true,"data":%s}`+"\n", c.ID, c.Type, data), true)
		if c.Type == "prompt" {
			prompts <- c.Message
		}
	}
}

// voice is the agent's output.
type voice struct {
	mu sync.Mutex
	w  *bufio.Writer
}

func (v *voice) say(text string, now bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	_, _ = v.w.WriteString(text)
	if now {
		_ = v.w.Flush()
	}
}

func (v *voice) act(prompt string) {
	var what string
	var n, micros int
	var begin int64
	_, _ = fmt.Sscan(prompt, &what, &n, &micros, &begin)
	v.say(`{"type":"agent_start"}`+"\n"+`{"type":"turn_start"}`+"\n", true)
	pace := time.Duration(micros) * time.Microsecond
	next := time.Now()
	if begin > 0 { // each at its own moment of the pace
		next = time.UnixMilli(begin).Add(rand.N(pace))
	}
	wait := func() string {
		next = next.Add(pace)
		<-time.After(time.Until(next))
		return fmt.Sprintf("@%d", time.Now().UnixNano())
	}
	if what == "say" {
		for i := range n {
			stamp := wait()
			v.say(messageStart+fmt.Sprintf(deltaLine, stamp, "so")+fmt.Sprintf(messageEnd, fmt.Sprintf("message %d", i))+
				fmt.Sprintf(toolStart, i)+fmt.Sprintf(toolEnd, i), true)
		}
		v.say(runEnd, true)
		return
	}
	switch what {
	case "write":
		v.write(n)
		return
	case "repeat":
		v.repeat(n)
		return
	}
	block := strings.Repeat(fmt.Sprintf(deltaLine, deltaText, "~123456789012345678"), 100)
	for i := 0; i < n; {
		if i%800 == 0 {
			if i > 0 {
				v.say(fmt.Sprintf(messageEnd, "so"), false)
			}
			v.say(messageStart, what == "pace")
		}
		switch {
		case what == "pace":
			v.say(fmt.Sprintf(deltaLine, wait(), deltaText), true)
			i++
		case n-i > 100:
			v.say(block, false)
			i += 100
		default:
			v.say(strings.Repeat(fmt.Sprintf(deltaLine, deltaText, "~123456789012345678"), n-i-1)+fmt.Sprintf(deltaLine, deltaText, "@END"), true)
			i = n
		}
	}
	v.say(fmt.Sprintf(messageEnd, "so")+runEnd, true)
}

// write says deltas of words. They come again after so many that no archive finds them.
func (v *voice) write(n int) {
	lines := make([]string, 4000)
	for i := range lines {
		w := words(i)
		lines[i] = fmt.Sprintf(deltaLine, w[:60], w[61:])
	}
	for i := 0; i < n; i += 100 {
		if i%800 == 0 {
			v.say(messageStart, false)
		}
		v.say(strings.Join(lines[i%len(lines):i%len(lines)+min(100, n-i)], ""), false)
		if i%800 == 700 || i+100 >= n {
			v.say(fmt.Sprintf(messageEnd, "so"), false)
		}
	}
	v.say(runEnd, true)
}

// repeat says deltas as Pi 0.73 does. The words differ, so that nothing is found where it is not.
func (v *voice) repeat(n int) {
	message := func(text string) string {
		return `{"role":"assistant","content":[{"type":"text","text":"` + text + `"}],"api":"openai-completions","provider":"p","model":"m",` +
			`"usage":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"totalTokens":0,"cost":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"total":0}},` +
			`"stopReason":"stop","timestamp":1795150945430,"responseId":"chatcmpl-1"}`
	}
	var whole strings.Builder
	for i := range n {
		if i%800 == 0 {
			if i > 0 {
				v.say(fmt.Sprintf(messageEnd, "so"), false)
			}
			v.say(messageStart, false)
			whole.Reset()
		}
		word := words(i)
		whole.WriteString(word)
		m := message(whole.String())
		v.say(`{"type":"message_update","assistantMessageEvent":{"type":"text_delta","contentIndex":0,"delta":"`+word+`","partial":`+m+`},"message":`+m+`}`+"\n", false)
	}
	v.say(fmt.Sprintf(messageEnd, "so")+runEnd, true)
}

// words are 120 bytes of text, others for each number.
func words(i int) string {
	var b strings.Builder
	for n := uint64(i); b.Len() < 120; n = n*6364136223846793005 + 1442695040888963407 {
		b.WriteString(vocabulary[n>>33%uint64(len(vocabulary))])
		b.WriteByte(' ')
	}
	return b.String()[:120]
}

var vocabulary = strings.Fields(`the a of and to in is it that for was on are as with they be at one have this from or had by not but some what there we can out other were all
	your when up use word how said an each she which do their time if will way about many then them would write like so these her long make thing see him two has look
	more day could go come did my sound no most number who over know water than call first people may down side been now find function return file line error test`)
