package protocol

import (
	"math"
	"strconv"
	"sync"
)

// coder is both directions of the codec: a payload lists its members once, in wire order, and the coder writes or reads
// them. Keys match exactly, case included. The first error sticks and later calls do nothing. Encoding only reads the event, so that
// several goroutines may encode one.
type coder struct {
	dec bool
	err *SyntaxError

	out   []byte // encoding: what was written; the object's "{" is already there
	comma bool
	spill *spill // nil: all stays in out

	in     []field // decoding: the members of the object; those that were taken have no value
	next   int     // where the next wanted member probably is
	fields []field // of all open objects; in is its end
	most   int     // elements that one array may have
}

// spill hands encoded text on in pieces, and frees parts that were encoded, so that a large value needs little memory.
type spill struct {
	load  func(part any) error // nil: all is there
	write func([]byte) error
	err   error
}

// take completes an element of a list before it is encoded; false: this or an earlier step failed.
func (p *spill) take(x coded) bool {
	if p.err == nil && p.load != nil {
		p.err = p.load(x)
	}
	return p.err == nil
}

// over hands the written text on, where it is long enough for a piece.
func (p *spill) over(out []byte) []byte {
	if len(out) < pieceBytes || p.err != nil {
		return out
	}
	p.err = p.write(out)
	return out[:0]
}

// coded is an object that lists its members.
type coded interface{ code(c *coder) }

var coders = sync.Pool{New: func() any { return &coder{fields: make([]field, 0, 32)} }}

func newCoder() *coder {
	c := coders.Get().(*coder)
	c.most = MaxMembers
	return c
}

// release gives the coder back; it must keep no part of any line.
func (c *coder) release() {
	fields := c.fields[:cap(c.fields)]
	if len(fields) > 256 {
		return
	}
	clear(fields)
	*c = coder{fields: fields[:0]}
	coders.Put(c)
}

func (c *coder) key(k string) {
	if c.comma {
		c.out = append(c.out, ',')
	}
	c.comma = true
	c.out = append(c.out, '"')
	c.out = append(c.out, k...)
	c.out = append(c.out, '"', ':')
}

// take finds a member to read. A null counts as absent.
func (c *coder) take(k string) ([]byte, bool) {
	if c.err != nil {
		return nil, false
	}
	for n := range c.in {
		i := c.next + n
		if i >= len(c.in) {
			i -= len(c.in)
		}
		if string(c.in[i].key) != k {
			continue
		}
		v := c.in[i].value
		c.in[i].value, c.next = nil, i+1
		return v, v != nil && string(v) != "null"
	}
	return nil, false
}

// problem is the first error as an error: nil where there is none.
func (c *coder) problem() error {
	if c.err != nil {
		return c.err
	}
	return nil
}

func (c *coder) fail(k, want string) {
	if c.err == nil {
		c.err = &SyntaxError{Path: "/" + k, Problem: "want " + want}
	}
}

func (c *coder) missing(k string) {
	if c.err == nil {
		c.err = &SyntaxError{Path: "/" + k, Problem: "missing"}
	}
}

// word reads a string that is probably one of a few.
func (c *coder) word(k string, words map[string]string) string {
	v, ok := c.take(k)
	switch {
	case !ok:
		c.missing(k)
	case v[0] != '"':
		c.fail(k, "a string")
	default:
		text := unescaped(v[1 : len(v)-1])
		if w, ok := words[string(text)]; ok {
			return w
		}
		return string(text)
	}
	return ""
}

func (c *coder) str(k string, p *string) {
	if !c.dec {
		c.key(k)
		c.out = appendString(c.out, *p)
		return
	}
	if v, ok := c.take(k); !ok {
		c.missing(k)
	} else if s, ok := unquote(v); !ok {
		c.fail(k, "a string")
	} else {
		*p = s
	}
}

func (c *coder) optStr(k string, p *string) {
	if !c.dec {
		if *p != "" {
			c.str(k, p)
		}
		return
	}
	if v, ok := c.take(k); ok {
		s, ok := unquote(v)
		if !ok {
			c.fail(k, "a string")
		}
		*p = s
	}
}

func (c *coder) optStrPtr(k string, p **string) {
	if !c.dec {
		if *p != nil {
			c.str(k, *p)
		}
		return
	}
	if v, ok := c.take(k); ok {
		s, ok := unquote(v)
		if !ok {
			c.fail(k, "a string")
		}
		*p = &s
	}
}

func (c *coder) int64(k string, p *int64) {
	if !c.dec {
		c.key(k)
		c.out = strconv.AppendInt(c.out, *p, 10)
		return
	}
	if v, ok := c.take(k); !ok {
		c.missing(k)
	} else if n, ok := integer(v); !ok {
		c.fail(k, "an integer of at most 2^53-1")
	} else {
		*p = n
	}
}

func (c *coder) optInt64(k string, p *int64) {
	if !c.dec {
		if *p != 0 {
			c.int64(k, p)
		}
		return
	}
	if v, ok := c.take(k); ok {
		n, ok := integer(v)
		if !ok {
			c.fail(k, "an integer of at most 2^53-1")
		}
		*p = n
	}
}

func (c *coder) optInt64Ptr(k string, p **int64) {
	if !c.dec {
		if *p != nil {
			c.int64(k, *p)
		}
		return
	}
	if v, ok := c.take(k); ok {
		n, ok := integer(v)
		if !ok {
			c.fail(k, "an integer of at most 2^53-1")
		}
		*p = &n
	}
}

func (c *coder) int(k string, p *int) {
	n := int64(*p)
	if c.int64(k, &n); c.dec {
		*p = c.fits(k, n)
	}
}

func (c *coder) optInt(k string, p *int) {
	n := int64(*p)
	if c.optInt64(k, &n); c.dec {
		*p = c.fits(k, n)
	}
}

// fits refuses what an int of this machine cannot hold.
func (c *coder) fits(k string, n int64) int {
	if int64(int(n)) != n {
		c.fail(k, "a smaller integer")
	}
	return int(n)
}

func (c *coder) optIntPtr(k string, p **int) {
	if !c.dec {
		if *p != nil {
			c.int(k, *p)
		}
		return
	}
	var n *int64
	if c.optInt64Ptr(k, &n); n != nil {
		i := c.fits(k, *n)
		*p = &i
	}
}

func (c *coder) uint(k string, p *uint64) {
	n := int64(*p)
	c.int64(k, &n)
	c.natural(k, n, p)
}

func (c *coder) optUint(k string, p *uint64) {
	n := int64(*p)
	c.optInt64(k, &n)
	c.natural(k, n, p)
}

func (c *coder) natural(k string, n int64, p *uint64) {
	switch {
	case n < 0:
		c.fail(k, "a non-negative integer")
	case c.dec:
		*p = uint64(n)
	}
}

func (c *coder) float(k string, p *float64) {
	if !c.dec {
		c.key(k)
		f := *p
		if math.IsNaN(f) || math.IsInf(f, 0) {
			f = 0
		}
		c.out = strconv.AppendFloat(c.out, f, 'g', -1, 64)
		return
	}
	if v, ok := c.take(k); !ok {
		c.missing(k)
	} else if f, err := strconv.ParseFloat(string(v), 64); err != nil {
		c.fail(k, "a number")
	} else {
		*p = f
	}
}

func (c *coder) optBool(k string, p *bool) {
	if !c.dec {
		if *p {
			c.key(k)
			c.out = append(c.out, "true"...)
		}
		return
	}
	if v, ok := c.take(k); ok {
		switch string(v) {
		case "true":
			*p = true
		case "false":
			*p = false
		default:
			c.fail(k, "true or false")
		}
	}
}

// optRaw carries any JSON value. Bytes that are no JSON value become a string, so that a line is always well-formed.
func (c *coder) optRaw(k string, p *[]byte) {
	if !c.dec {
		if len(*p) == 0 {
			return
		}
		c.key(k)
		if check(*p, rawDepth) == nil {
			c.out = append(c.out, compact(*p)...)
		} else {
			c.out = appendString(c.out, string(*p))
		}
		return
	}
	if v, ok := c.take(k); ok {
		*p = compact(v)
	}
}
