package coreapi

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"iter"
	"net/http"
	"strconv"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/core/wire"
	"github.com/ringmaster-agents/ringmaster/actors/objects"
)

func (s *Server) objects() {
	s.handle("PUT "+wire.Path("objects/{key...}"), "put", wire.Bytes, lane{}, put)
	s.handle("GET "+wire.Path("objects/{key...}"), "get", "", lane{isStream: true}, get)
	asked(s, "stat", lane{}, func(ctx context.Context, _ *exchange, q *wire.Object) (wire.Info, error) {
		store, err := s.bucket()
		if err != nil {
			return wire.Info{}, err
		}
		info, err := store.Stat(ctx, q.Key)
		return wire.InfoOf(info), err
	})
	asked(s, "delete", lane{}, func(ctx context.Context, x *exchange, q *wire.Object) (wire.Nothing, error) {
		if err := x.owns(ctx, q.Key); err != nil {
			return wire.Nothing{}, err
		}
		store, err := s.bucket()
		if err != nil {
			return wire.Nothing{}, err
		}
		return wire.Nothing{}, store.Delete(ctx, q.Key)
	})
	listed(s, "list", func(ctx context.Context, x *exchange, q *wire.List) (iter.Seq2[wire.Info, error], error) {
		if err := x.cares(); err != nil {
			return nil, err
		}
		store, err := s.bucket()
		if err != nil {
			return nil, err
		}
		return func(yield func(wire.Info, error) bool) {
			for info, err := range store.List(ctx, q.Prefix, q.After) {
				if !yield(wire.InfoOf(info), err) {
					return
				}
			}
		}, nil
	})
}

// put takes an object, whole: the store may read it more than once.
func put(ctx context.Context, x *exchange) error {
	key := x.r.PathValue("key")
	if err := x.owns(ctx, key); err != nil {
		return err
	}
	store, err := x.server.bucket()
	if err != nil {
		return err
	}
	sum, err := hex.DecodeString(x.r.Header.Get(wire.Digest))
	if err != nil || len(sum) != sha256.Size {
		return &core.RefusedError{Op: x.call, Err: errBody}
	}
	if err := x.read(); err != nil {
		return err
	}
	body := objects.Bytes(x.body)
	if body.SHA256 != objects.Digest(sum) {
		return &core.RefusedError{Op: x.call, Err: errBody}
	}
	fresh, err := store.Put(ctx, key, body)
	if err != nil {
		return err
	}
	x.writes()
	answer(x.w, http.StatusOK, wire.JSON, wire.Truth{Is: fresh})
	return nil
}

// get gives bytes of an object. Where it does not get to their end, it cuts the connection, so that nobody takes what has come for all.
func get(ctx context.Context, x *exchange) error {
	query := x.r.URL.Query()
	offset, err1 := strconv.ParseInt(query.Get("offset"), 10, 64)
	length, err2 := strconv.ParseInt(query.Get("length"), 10, 64)
	if errors.Join(err1, err2) != nil {
		return &core.RefusedError{Op: x.call, Err: errBody}
	}
	store, err := x.server.bucket()
	if err != nil {
		return err
	}
	in, err := store.Get(ctx, x.r.PathValue("key"), offset, length)
	if err != nil {
		return err
	}
	defer in.Close()
	buffer := make([]byte, 64<<10)
	n, err := io.ReadFull(in, buffer) // its first bytes tell whether it is there
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return err
	}
	x.w.Header().Set("Content-Type", wire.Bytes)
	to := timed{x}
	for {
		if _, failed := to.Write(buffer[:n]); failed != nil {
			return nil
		}
		if err == nil {
			n, err = in.Read(buffer)
			continue
		}
		if !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			x.tally.outcome = outcomeCut
			panic(http.ErrAbortHandler)
		}
		return nil
	}
}
