package objects

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Question is something that Core needs a store to do.
type Question string

// The questions of Check, in their order. The last two are asked of an Asked alone.
const (
	Keeps     Question = "keeps"     // an object is put, read, told of and deleted
	Absent    Question = "absent"    // a second put of a key changes nothing, and is told so
	Race      Question = "race"      // of many that put to one key at once, one does
	Ranges    Question = "ranges"    // parts of an object are read
	Lists     Question = "lists"     // lists have what is there, in order, and begin where they are told to
	Parts     Question = "parts"     // what is put in parts is whole then, and only if its key is free
	Signature Question = "signature" // who has a wrong secret is refused
)

// Finding is the answer to one question.
type Finding struct {
	Question Question
	Right    bool
	Detail   string // what was seen: a sentence without its full stop
	Hint     string // what the operator can do; "" where it is right
}

// Asked is a store of which Check can ask more, since it is a server's.
type Asked interface {
	Store
	// PutParts puts an object as Put does, in an upload of several parts.
	PutParts(ctx context.Context, key string, parts ...[]byte) (fresh bool, err error)
	// Stranger is a way to the same place with a secret that is wrong. Whoever asks for it closes it.
	Stranger() Store
}

// Check asks a store what Core needs of one, with a few small objects below "check/", which it deletes. Its error is one that has kept it from going on: any
// of the first question, such as an *AccessError, and an *AwayError or *FullError of a later one. The findings are those until then.
func Check(ctx context.Context, s Store) ([]Finding, error) {
	c := &checker{store: s, ctx: ctx, run: strings.ToLower(rand.Text())}
	defer c.clean()
	questions := []func() error{c.keeps, c.absent, c.race, c.ranges, c.lists}
	if asked, ok := s.(Asked); ok {
		questions = append(questions, func() error { return c.parts(asked) }, func() error { return c.signature(asked) })
	}
	for _, ask := range questions {
		if err := ask(); err != nil {
			return c.found, err
		}
	}
	return c.found, nil
}

// Unfit is the *UnfitError of what is not right; nil: all is.
func Unfit(findings []Finding) error {
	var wrong []Finding
	for _, f := range findings {
		if !f.Right {
			wrong = append(wrong, f)
		}
	}
	if wrong == nil {
		return nil
	}
	return &UnfitError{wrong}
}

// checker is one Check.
type checker struct {
	store Store
	ctx   context.Context
	run   string
	keys  []string // that were put
	found []Finding
}

// key is a new one.
func (c *checker) key(name string) string {
	k := checkKey(c.run, name)
	c.keys = append(c.keys, k)
	return k
}

// clean deletes what was put, also where the context is done.
func (c *checker) clean() {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.ctx), 10*time.Second)
	defer cancel()
	for _, k := range c.keys {
		if away := new(*AwayError); errors.As(c.store.Delete(ctx, k), away) {
			return // what stays is in nobody's way
		}
	}
}

// hints, by question
var hints = map[Question]string{
	Keeps: "give the user of the store the rights to put, get, list and delete objects, and let nothing between this machine and the store change them",
	Absent: "the store must honour If-None-Match: * for puts: use a newer version of the server, or another one; " +
		"a proxy before it must let that header through",
	Race: "the store says that it honours If-None-Match: *, and does not where several write at once: use a newer version of the server, or another one, " +
		"and one address of it if its nodes do not agree",
	Ranges: "the store must honour Range: a proxy before it must let that header through",
	Lists: "the store must list in the order of the keys' bytes, and what was just put (ListObjectsV2 with start-after): use a newer version of the server, " +
		"or another one",
	Parts:     "the store must honour multipart uploads, and If-None-Match: * at their completion: use a newer version of the server, or another one",
	Signature: "the store lets in whoever comes: configure it so that it checks signatures, and let nobody but the nodes reach it until then",
}

// answer notes what a question has shown; problem: what was wrong, "" where nothing was. It gives the errors that end the questions.
func (c *checker) answer(q Question, right, problem string, err error) error {
	var away *AwayError
	var full *FullError
	if q == Keeps && err != nil || errors.As(err, &away) || errors.As(err, &full) {
		return err
	}
	if err != nil {
		problem = err.Error()
	}
	f := Finding{Question: q, Right: problem == "", Detail: right}
	if problem != "" {
		f.Detail, f.Hint = problem, hints[q]
	}
	c.found = append(c.found, f)
	return nil
}

// putter asks for puts until one fails.
type putter struct {
	*checker
	err error
}

func (p *putter) put(key, body string) (fresh bool) {
	if p.err == nil {
		fresh, p.err = p.store.Put(p.ctx, key, Bytes([]byte(body)))
	}
	return fresh
}

// reads says whether a range of an object is what it should be.
func (p *putter) reads(key string, offset, length int64, want string) bool {
	if p.err != nil {
		return true
	}
	var got []byte
	if got, p.err = fetch(p.ctx, p.store, key, offset, length, int64(len(want))+1); p.err != nil {
		return true
	}
	return string(got) == want
}

func (c *checker) keeps() error {
	p := putter{checker: c}
	k, problem := c.key("keeps"), ""
	const body = "kept\x00\r\n"
	switch {
	case !p.put(k, body) && p.err == nil:
		problem = "the first put of a new key was told that something is there"
	case !p.reads(k, 0, Whole, body):
		problem = "an object came back with other bytes"
	}
	if p.err == nil && problem == "" {
		var info Info
		if info, p.err = c.store.Stat(c.ctx, k); p.err == nil && info.Size != int64(len(body)) {
			problem = fmt.Sprintf("an object of %d bytes is said to have %d", len(body), info.Size)
		}
	}
	if p.err == nil && problem == "" {
		missing := new(*NotFoundError)
		if p.err = c.store.Delete(c.ctx, k); p.err == nil {
			if _, p.err = c.store.Stat(c.ctx, k); errors.As(p.err, missing) {
				p.err = nil
			} else if p.err == nil {
				problem = "an object is there behind its deletion"
			}
		}
	}
	return c.answer(Keeps, "an object is put, read, told of and deleted", problem, p.err)
}

func (c *checker) absent() error {
	p := putter{checker: c}
	k, problem := c.key("absent"), ""
	p.put(k, "first")
	switch {
	case p.put(k, "second"):
		problem = "a second put of a key was taken: conditions of puts are ignored"
	case !p.reads(k, 0, Whole, "first"):
		problem = "a second put of a key, which was said not to be taken, has changed the object"
	}
	return c.answer(Absent, "a second put of a key changes nothing and is told so", problem, p.err)
}
