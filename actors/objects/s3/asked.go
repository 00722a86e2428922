package s3

import (
	"context"
	"io"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/ringmaster-agents/ringmaster/actors/objects"
)

// PutParts implements objects.Asked.
func (s *store) PutParts(ctx context.Context, key string, parts ...[]byte) (fresh bool, err error) {
	if err := objects.CheckKey(key); err != nil {
		return false, &objects.RefusedError{Op: "put", Err: err}
	}
	ctx, end := s.calling(ctx)
	defer end()
	return s.putting(ctx, key, func() error { return s.upload(ctx, key, parts) })
}

func (s *store) upload(ctx context.Context, key string, parts [][]byte) error {
	bucket, name := s.options.Bucket, s.name(key)
	id, err := s.core.NewMultipartUpload(ctx, bucket, name, minio.PutObjectOptions{})
	if err != nil {
		return err
	}
	var complete []minio.CompletePart
	for n, b := range parts {
		var part minio.ObjectPart
		body := objects.Bytes(b)
		if err = send(ctx, body, func(from io.Reader) (err error) {
			options := minio.PutObjectPartOptions{Sha256Hex: body.SHA256.String(), DisableContentSha256: true}
			part, err = s.core.PutObjectPart(ctx, bucket, name, id, n+1, from, body.Size, options)
			return err
		}); err != nil {
			break
		}
		complete = append(complete, minio.CompletePart{PartNumber: n + 1, ETag: part.ETag})
	}
	if err == nil {
		_, err = s.core.CompleteMultipartUpload(ctx, bucket, name, id, complete, absent())
	}
	if err != nil {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		_ = s.core.AbortMultipartUpload(ctx, bucket, name, id) // what stays is the bucket's to clean
	}
	return err
}

// Stranger implements objects.Asked. It has the right name with another secret.
func (s *store) Stranger() objects.Store {
	o := s.options
	keys := o.Keys
	o.Keys = func() (Keys, error) {
		k, err := keys()
		k.Secret = "not-" + k.Secret
		return k, err
	}
	stranger, err := Open(o)
	if err != nil {
		panic(err) // these options have opened a store
	}
	return stranger
}
