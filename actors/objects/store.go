package objects

import (
	"context"
	"io"
	"iter"
	"time"
)

// MaxSize is how many bytes an object has at most: what every S3 takes in one request. Segments have some megabytes.
const MaxSize = 1 << 30

// Page is how many objects a store lists at once, at most.
const Page = 1000

// Store is a way to an object store. Its methods may be called by any goroutine, and wait for the place at most as long as their context lasts. Their errors:
// *AwayError, with which it is not known whether the call has changed something; *AccessError, *RefusedError, *FullError and *NotFoundError, each of
// which says that it has not.
type Store interface {
	// Put puts an object where its key is free. fresh says that this call has put it. Otherwise something is there already: what another call has put, or an
	// earlier try of this one of which no answer came; it is not compared. A *RefusedError says that key or body are not what they must be.
	Put(ctx context.Context, key string, body Body) (fresh bool, err error)
	// Get reads length bytes from an offset on, or what there is of them: beyond the object's end there is nothing, and that is no error. Whole stands for
	// all to the end. The reader ends with io.EOF where they are complete; its other errors are this interface's. It must be closed, and lasts as long as
	// the context.
	Get(ctx context.Context, key string, offset, length int64) (io.ReadCloser, error)
	// Stat tells of an object.
	Stat(ctx context.Context, key string) (Info, error)
	// List goes through the objects whose keys begin with prefix and are behind after ("": from the first one on), in the order of the keys' bytes. It asks
	// for a page at a time. What is put or deleted meanwhile may be among them or not. An error ends it.
	List(ctx context.Context, prefix, after string) iter.Seq2[Info, error]
	// Delete takes an object away. One that is gone is no error.
	Delete(ctx context.Context, key string) error
	// Close frees connections. Calls and readers that are under way may end with an *AwayError.
	Close()
}

// Whole is a length for Get: all to the object's end.
const Whole = -1

// Info is what a store tells of an object.
type Info struct {
	Key      string
	Size     int64
	Modified time.Time // when it was put, by the store's clock
}

// Body is what Put puts. It may be read more than once, as a request is tried again.
type Body struct {
	io.ReaderAt
	Size   int64 // bytes
	SHA256 Digest
}
