package core

// recent keeps the newest of what came by name.
type recent[V any] struct {
	byName map[string]V
	names  []string // oldest first
}

func (r *recent[V]) get(name string) (v V, known bool) {
	v, known = r.byName[name]
	return v, known
}

// put keeps one more, and forgets the oldest where there would be more than the limit.
func (r *recent[V]) put(name string, v V, limit int) {
	if _, known := r.byName[name]; !known {
		r.names = append(r.names, name)
	}
	put(&r.byName, name, v)
	if len(r.names) > limit {
		delete(r.byName, r.names[0])
		r.names = r.names[1:]
	}
}
