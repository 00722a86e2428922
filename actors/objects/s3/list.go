package s3

import (
	"context"
	"iter"
	"strings"

	"github.com/minio/minio-go/v7"
	"github.com/ringmaster-agents/ringmaster/actors/objects"
)

func (s *store) List(ctx context.Context, prefix, after string) iter.Seq2[objects.Info, error] {
	return func(yield func(objects.Info, error) bool) {
		if err := objects.CheckPrefix(prefix); err != nil {
			yield(objects.Info{}, &objects.RefusedError{Op: "list", Err: err})
			return
		}
		ctx, end := s.calling(ctx)
		defer end()
		noOwner := false
		options := minio.ListObjectsOptions{Prefix: s.name(prefix), Recursive: true, MaxKeys: objects.Page, FetchOwner: &noOwner}
		if after != "" {
			options.StartAfter = s.name(after)
		}
		for found := range s.core.ListObjectsIter(ctx, s.options.Bucket, options) {
			if found.Err != nil {
				yield(objects.Info{}, told(ctx, "list", "", found.Err))
				return
			}
			key, ours := strings.CutPrefix(found.Key, s.options.Prefix)
			if ours && objects.CheckKey(key) == nil && !yield(objects.Info{Key: key, Size: found.Size, Modified: found.LastModified}, nil) {
				return
			}
		}
		if ctx.Err() != nil { // the client ends a list without a word then
			yield(objects.Info{}, told(ctx, "list", "", ctx.Err()))
		}
	}
}
