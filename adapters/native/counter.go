package native

// Counter gives the keys by which a translator names its entries or its requests: 1, 2, 3 …
type Counter[K ~uint32] struct{ last K }

// Next gives the next key.
func (c *Counter[K]) Next() K {
	c.last++
	return c.last
}

// Last is the key that was given last; 0: none was.
func (c *Counter[K]) Last() K { return c.last }
