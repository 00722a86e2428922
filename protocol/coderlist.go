package protocol

import "strconv"

func (c *coder) optStrs(k string, p *[]string) {
	if !c.dec {
		if len(*p) > 0 {
			c.key(k)
			c.out = appendStrings(c.out, *p)
		}
		return
	}
	if v, ok := c.take(k); ok {
		l, ok := unquoteAll(v, c.most)
		if !ok {
			c.fail(k, "an array of strings")
		}
		*p = l
	}
}

func (c *coder) optStrLists(k string, p *[][]string) {
	if !c.dec {
		if len(*p) > 0 {
			c.key(k)
			c.out = append(c.out, '[')
			for i, l := range *p {
				if i > 0 {
					c.out = append(c.out, ',')
				}
				c.out = appendStrings(c.out, l)
			}
			c.out = append(c.out, ']')
		}
		return
	}
	v, ok := c.take(k)
	if !ok {
		return
	}
	items, ok := elements(v, c.most)
	lists := make([][]string, len(items))
	for i := 0; ok && i < len(items); i++ {
		lists[i], ok = unquoteAll(items[i], c.most)
	}
	if !ok {
		c.fail(k, "an array of arrays of strings")
		return
	}
	*p = lists
}

// optStrMap writes the keys in order, so that one map has one encoding. A nil map is absent, an empty one is {}.
func (c *coder) optStrMap(k string, p *map[string]string) {
	if !c.dec {
		if *p != nil {
			c.key(k)
			c.out = appendStringMap(c.out, *p)
		}
		return
	}
	v, ok := c.take(k)
	if !ok {
		return
	}
	if v[0] != '{' {
		c.fail(k, "an object of strings")
		return
	}
	fields := split(nil, v)
	m := make(map[string]string, len(fields))
	for _, f := range fields {
		s, ok := unquote(f.value)
		if !ok {
			c.fail(k, "an object of strings")
		}
		m[string(f.key)] = s
	}
	*p = m
}

// optObjects codes a list of objects; an empty list is absent.
func optObjects[T any, P interface {
	*T
	coded
}](c *coder, k string, p *[]T) {
	if !c.dec {
		c.writeAll(k, len(*p), func(i int) coded { return P(&(*p)[i]) })
	} else if items, ok := c.takeAll(k); ok {
		list := make([]T, len(items))
		c.readAll(k, items, func(i int) coded { return P(&list[i]) })
		*p = list
	}
}

// optObjectPtrs codes a list of pointers to objects; an empty list is absent.
func optObjectPtrs[T any, P interface {
	*T
	coded
}](c *coder, k string, p *[]P) {
	if !c.dec {
		c.writeAll(k, len(*p), func(i int) coded {
			item := (*p)[i]
			if c.spill != nil { // a state that is streamed is not used afterwards, so each part is freed
				(*p)[i] = nil
			}
			return item
		})
	} else if items, ok := c.takeAll(k); ok {
		list := make([]P, len(items))
		c.readAll(k, items, func(i int) coded { list[i] = new(T); return list[i] })
		*p = list
	}
}

func (c *coder) writeAll(k string, n int, at func(i int) coded) {
	if n == 0 {
		return
	}
	c.key(k)
	c.out = append(c.out, '[')
	for i := range n {
		if i > 0 {
			c.out = append(c.out, ',')
		}
		x := at(i)
		if c.spill != nil && !c.spill.take(x) {
			return
		}
		c.write(x)
		if c.spill != nil {
			c.out = c.spill.over(c.out)
		}
	}
	c.out = append(c.out, ']')
}

func (c *coder) takeAll(k string) ([][]byte, bool) {
	v, ok := c.take(k)
	if !ok {
		return nil, false
	}
	items, ok := elements(v, c.most)
	if !ok {
		c.fail(k, "an array of objects")
	}
	return items, ok
}

func (c *coder) readAll(k string, items [][]byte, at func(i int) coded) {
	for i, item := range items {
		c.read(k+"/"+strconv.Itoa(i), item, at(i))
	}
}
