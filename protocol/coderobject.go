package protocol

func (c *coder) object(k string, o coded) {
	if !c.dec {
		c.key(k)
		c.write(o)
		return
	}
	v, ok := c.take(k)
	if !ok {
		c.missing(k)
		return
	}
	c.read(k, v, o)
}

// write writes o as an object.
func (c *coder) write(o coded) {
	c.out = append(c.out, '{')
	c.comma = false
	o.code(c)
	c.out = append(c.out, '}')
	c.comma = true
}

// read reads o from an object; k is its place in the object around it.
func (c *coder) read(k string, v []byte, o coded) {
	if c.err != nil {
		return
	}
	if v[0] != '{' {
		c.fail(k, "an object")
		return
	}
	in, next, outer := c.in, c.next, len(c.fields)
	c.fields = split(c.fields, v)
	c.in, c.next = c.fields[outer:], 0
	o.code(c)
	if c.err != nil {
		c.err.Path = "/" + k + c.err.Path
	}
	c.in, c.next, c.fields = in, next, c.fields[:outer]
}

// rest carries the members that no other call of the code method named; it comes last.
func (c *coder) rest(p *[]Member) {
	if !c.dec {
		for _, m := range *p {
			if c.comma {
				c.out = append(c.out, ',')
			}
			c.comma = true
			c.out = appendString(c.out, m.Key)
			c.out = append(c.out, ':')
			c.out = append(c.out, m.Value...)
		}
		return
	}
	*p = c.left()
}

// left copies the members that were not taken: members that this build does not know.
func (c *coder) left() []Member {
	var left []Member
	for _, f := range c.in {
		if f.value != nil {
			left = append(left, Member{string(f.key), compact(f.value)})
		}
	}
	return left
}

// optObject codes a pointer to an object; nil is absent.
func optObject[T any, P interface {
	*T
	coded
}](c *coder, k string, p *P) {
	if !c.dec {
		if *p != nil {
			c.object(k, *p)
		}
		return
	}
	if v, ok := c.take(k); ok {
		o := P(new(T))
		c.read(k, v, o)
		*p = o
	}
}
