package objects_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/objects"
	"github.com/ringmaster-agents/ringmaster/actors/objects/memory"
)

const session = "0199a7a0-0000-7000-8000-000000000001"

// What keys are stands in databases: they do not change.
func TestKeys(t *testing.T) {
	digest := objects.Bytes([]byte("x")).SHA256
	const hex = "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"
	for _, c := range []struct{ got, want string }{
		{objects.LogKey(session, 1, 64, digest), "sessions/" + session + "/log/0000000000000001-0000000000000064-" + hex + ".ndjson.zst"},
		{objects.RawKey(session, "n1", 9, 1<<53-1, digest), "sessions/" + session + "/raw/n1/0000000000000009-9007199254740991-" + hex + ".ndjson.zst"},
		{objects.ImageKey(session, digest), "sessions/" + session + "/images/" + hex},
		{objects.SessionPrefix(session), "sessions/" + session + "/"},
	} {
		if c.got != c.want {
			t.Errorf("got %s, want %s", c.got, c.want)
		}
		if err := objects.CheckKey(c.want); (err == nil) == strings.HasSuffix(c.want, "/") {
			t.Errorf("%s: %v", c.want, err)
		}
		if err := objects.CheckPrefix(c.want); err != nil {
			t.Error(err)
		}
	}
	if key := objects.RawKey(session, strings.Repeat("n", 64), 1, 2, digest); objects.CheckKey(key) != nil || len(key) > objects.MaxKey {
		t.Errorf("the longest key has %d bytes: %v", len(key), objects.CheckKey(key))
	}
}

// A key is a path below a folder and inside it, and each of its beginnings is one of a list.
func FuzzKey(f *testing.F) {
	digest := objects.Bytes(nil).SHA256
	f.Add(objects.LogKey(session, 1, 2, digest))
	f.Add(objects.RawKey(session, "a.b-c_D", 1, 2, digest))
	f.Add(objects.ImageKey(session, digest))
	f.Add("check/a/b")
	f.Add("sessions/../x")
	f.Fuzz(func(t *testing.T, key string) {
		if objects.CheckKey(key) != nil {
			return
		}
		if len(key) > objects.MaxKey || strings.Contains(key, "..") || strings.HasPrefix(key, "/") || strings.ContainsAny(key, "\\\x00\n%?#") {
			t.Fatalf("%q is a key", key)
		}
		for i := range len(key) + 1 {
			if err := objects.CheckPrefix(key[:i]); err != nil {
				t.Fatalf("%q begins %q: %v", key[:i], key, err)
			}
		}
	})
}

func TestErrors(t *testing.T) {
	reason := errors.New("reason")
	for _, c := range []struct {
		err  error
		want string
	}{
		{&objects.AwayError{Op: "put", Err: reason}, "objects: put: no answer: reason"},
		{&objects.AccessError{Op: "get", Err: reason, Hint: "ask"}, "objects: get: refused: reason (ask)"},
		{&objects.FullError{Op: "put", Err: reason}, "objects: put: no room: reason"},
		{&objects.RefusedError{Op: "put", Err: reason}, "objects: put: what was sent is refused: reason"},
	} {
		if c.err.Error() != c.want || !errors.Is(c.err, reason) || !objects.Typed(c.err) {
			t.Errorf("got %q, want %q", c.err, c.want)
		}
	}
	if err := error(&objects.NotFoundError{Op: "get", Key: "k"}); err.Error() != "objects: get: there is no k" || !objects.Typed(err) {
		t.Error(err)
	}
	if objects.Typed(reason) {
		t.Error("any error has a type")
	}
}

// wrong is a store that does something wrong.
type wrong struct {
	objects.Asked
	put       func(ctx context.Context, key string, body objects.Body) (bool, error)
	get       func(ctx context.Context, key string, offset, length int64) (io.ReadCloser, error)
	list      func(ctx context.Context, prefix, after string) iter.Seq2[objects.Info, error]
	parts     func(ctx context.Context, key string, parts ...[]byte) (bool, error)
	stranger  objects.Store
	forgetful bool
}

func (w wrong) Put(ctx context.Context, key string, body objects.Body) (bool, error) {
	if w.put != nil {
		return w.put(ctx, key, body)
	}
	return w.Asked.Put(ctx, key, body)
}

func (w wrong) Get(ctx context.Context, key string, offset, length int64) (io.ReadCloser, error) {
	if w.get != nil {
		return w.get(ctx, key, offset, length)
	}
	return w.Asked.Get(ctx, key, offset, length)
}

func (w wrong) List(ctx context.Context, prefix, after string) iter.Seq2[objects.Info, error] {
	if w.list != nil {
		return w.list(ctx, prefix, after)
	}
	return w.Asked.List(ctx, prefix, after)
}

func (w wrong) PutParts(ctx context.Context, key string, parts ...[]byte) (bool, error) {
	if w.parts != nil {
		return w.parts(ctx, key, parts...)
	}
	return w.Asked.PutParts(ctx, key, parts...)
}

func (w wrong) Delete(ctx context.Context, key string) error {
	if w.forgetful {
		return nil
	}
	return w.Asked.Delete(ctx, key)
}

func (w wrong) Stranger() objects.Store {
	if w.stranger != nil {
		return w.stranger
	}
	return w.Asked.Stranger()
}

// right is the store in memory, as a server that knows its callers.
type right struct{ objects.Store }

func (r right) PutParts(ctx context.Context, key string, parts ...[]byte) (bool, error) {
	return r.Put(ctx, key, objects.Bytes(bytes.Join(parts, nil)))
}

func (r right) Stranger() objects.Store {
	p := new(memory.Place)
	p.Disturb(func(op string) error { return &objects.AccessError{Op: op, Err: errors.New("wrong secret"), Hint: "x"} }, nil)
	return p.Store()
}

// over has puts that write over what is there, on some conditions.
func over(s objects.Store, when func(key string) bool, tells bool) func(context.Context, string, objects.Body) (bool, error) {
	return func(ctx context.Context, key string, body objects.Body) (bool, error) {
		if when(key) {
			fresh, err := s.Put(ctx, key, body)
			if err != nil || fresh {
				return fresh, err
			}
			if err := s.Delete(ctx, key); err != nil {
				return false, err
			}
			_, err = s.Put(ctx, key, body)
			return tells, err
		}
		return s.Put(ctx, key, body)
	}
}

// TestCheckFinds: what a store does wrong is found, by the question that asks for it.
//
// Proves: I16.F/bucket
func TestCheckFinds(t *testing.T) {
	second := func(key string) bool { return strings.HasSuffix(key, "/absent") }
	for _, c := range []struct {
		name  string
		make  func(r objects.Asked) objects.Asked
		wrong []objects.Question
	}{
		{"nothing", func(r objects.Asked) objects.Asked { return r }, nil},
		{"conditions are ignored", func(r objects.Asked) objects.Asked {
			return wrong{Asked: r, put: over(r, func(string) bool { return true }, true)}
		}, []objects.Question{objects.Absent, objects.Race}},
		{"conditions are ignored and denied", func(r objects.Asked) objects.Asked { return wrong{Asked: r, put: over(r, second, false)} }, []objects.Question{objects.Absent}},
		{"conditions are ignored in a race", func(r objects.Asked) objects.Asked {
			return wrong{Asked: r, put: over(r, func(key string) bool { return strings.Contains(key, "/race") }, true)}
		}, []objects.Question{objects.Race}},
		{"nobody wins", func(r objects.Asked) objects.Asked {
			return wrong{Asked: r, put: func(ctx context.Context, key string, body objects.Body) (bool, error) {
				fresh, err := r.Put(ctx, key, body)
				return fresh && !strings.Contains(key, "/race"), err
			}}
		}, []objects.Question{objects.Race}},
		{"deletes do nothing", func(r objects.Asked) objects.Asked { return wrong{Asked: r, forgetful: true} }, []objects.Question{objects.Keeps}},
		{"ranges are ignored", func(r objects.Asked) objects.Asked {
			return wrong{Asked: r, get: func(ctx context.Context, key string, _, _ int64) (io.ReadCloser, error) {
				return r.Get(ctx, key, 0, objects.Whole)
			}}
		}, []objects.Question{objects.Ranges, objects.Parts}},
		{"the end of a range is ignored", func(r objects.Asked) objects.Asked {
			return wrong{Asked: r, get: func(ctx context.Context, key string, offset, _ int64) (io.ReadCloser, error) {
				return r.Get(ctx, key, offset, objects.Whole)
			}}
		}, []objects.Question{objects.Ranges, objects.Parts}},
		{"lists are backwards", func(r objects.Asked) objects.Asked {
			return wrong{Asked: r, list: func(ctx context.Context, prefix, after string) iter.Seq2[objects.Info, error] {
				var all []objects.Info
				for info := range r.List(ctx, prefix, after) {
					all = append(all, info)
				}
				slices.Reverse(all)
				return func(yield func(objects.Info, error) bool) {
					for _, info := range all {
						if !yield(info, nil) {
							return
						}
					}
				}
			}}
		}, []objects.Question{objects.Lists}},
		{"lists begin at the beginning", func(r objects.Asked) objects.Asked {
			return wrong{Asked: r, list: func(ctx context.Context, prefix, _ string) iter.Seq2[objects.Info, error] {
				return r.List(ctx, prefix, "")
			}}
		}, []objects.Question{objects.Lists}},
		{"parts are joined wrong", func(r objects.Asked) objects.Asked {
			return wrong{Asked: r, parts: func(ctx context.Context, key string, parts ...[]byte) (bool, error) {
				slices.Reverse(parts)
				return r.PutParts(ctx, key, parts...)
			}}
		}, []objects.Question{objects.Parts}},
		{"a completion has no condition", func(r objects.Asked) objects.Asked {
			return wrong{Asked: r, parts: func(ctx context.Context, key string, parts ...[]byte) (bool, error) {
				return over(r, func(string) bool { return true }, true)(ctx, key, objects.Bytes(bytes.Join(parts, nil)))
			}}
		}, []objects.Question{objects.Parts}},
		{"signatures are not looked at", func(r objects.Asked) objects.Asked { return wrong{Asked: r, stranger: new(memory.Place).Store()} }, []objects.Question{objects.Signature}},
	} {
		p := new(memory.Place)
		findings, err := objects.Check(t.Context(), c.make(right{Store: p.Store()}))
		if err != nil || len(findings) != 7 {
			t.Errorf("%s: %d findings, %v", c.name, len(findings), err)
		}
		var wrong []objects.Question
		for _, f := range findings {
			if !f.Right {
				wrong = append(wrong, f.Question)
			}
			if f.Detail == "" || (f.Hint == "") != f.Right {
				t.Errorf("%s: %+v", c.name, f)
			}
		}
		if !slices.Equal(wrong, c.wrong) {
			t.Errorf("%s: found %v, want %v", c.name, wrong, c.wrong)
		}
		var unfit *objects.UnfitError
		if err := objects.Unfit(findings); errors.As(err, &unfit) != (c.wrong != nil) || c.wrong != nil && len(unfit.Findings) != len(c.wrong) {
			t.Errorf("%s: %v", c.name, err)
		}
		for info := range p.Store().List(t.Context(), "", "") {
			if c.name != "deletes do nothing" {
				t.Errorf("%s: the check has left %s", c.name, info.Key)
			}
		}
	}
}

// TestCheckEnds where the store does not answer, or refuses the caller.
func TestCheckEnds(t *testing.T) {
	p := new(memory.Place)
	p.Leave()
	var away *objects.AwayError
	if found, err := objects.Check(t.Context(), p.Store()); !errors.As(err, &away) || len(found) != 0 {
		t.Errorf("%v, %v", found, err)
	}
	p.Return()
	refused := &objects.AccessError{Op: "put", Err: errors.New("who are you"), Hint: "say it"}
	p.Disturb(func(string) error { return refused }, nil)
	if found, err := objects.Check(t.Context(), p.Store()); !errors.Is(err, refused) || len(found) != 0 {
		t.Errorf("%v, %v", found, err)
	}
	n := 0
	p.Disturb(func(op string) error {
		if n++; n < 12 || op == "delete" {
			return nil
		}
		return errors.New("lost")
	}, nil)
	if found, err := objects.Check(t.Context(), p.Store()); !errors.As(err, &away) || len(found) == 0 {
		t.Errorf("%v, %v", found, err)
	}
}
