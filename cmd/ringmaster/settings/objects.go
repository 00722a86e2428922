package settings

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"github.com/ringmaster-agents/ringmaster/actors/objects"
	"github.com/ringmaster-agents/ringmaster/actors/objects/s3"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/daemon"
)

// objectsFlags say where the object store is.
type objectsFlags struct{ at, keysFile string }

func (o *objectsFlags) addTo(f *pflag.FlagSet) {
	f.StringVar(&o.at, "objects", "",
		"object store, which keeps what Core's logs are done with: a folder that all nodes see, or s3://BUCKET/PREFIX?endpoint=URL")
	f.StringVar(&o.keysFile, "objects-keys-file", "",
		"file with the keys for --objects s3://…, which only its owner may read (default the environment's AWS_… keys)")
}

// objects checks where the object store is; the zero value where there is none.
func (o *objectsFlags) objects() (daemon.Objects, error) {
	switch {
	case o.at == "" && o.keysFile != "":
		return daemon.Objects{}, &Problem{"--objects-keys-file", "there is no --objects", "name the store with --objects s3://BUCKET/PREFIX"}
	case o.at == "":
		return daemon.Objects{}, nil
	case !strings.Contains(o.at, "://"):
		return o.folder()
	}
	bucket, err := s3.Parse(o.at)
	var access *objects.AccessError
	if errors.As(err, &access) { // the error does not repeat the URL, which may have a secret
		return daemon.Objects{}, &Problem{"--objects", access.Err.Error(), access.Hint}
	}
	if path := o.keysFile; path != "" {
		bucket.Keys = s3.File(path)
		if _, err := bucket.Keys(); err != nil {
			return daemon.Objects{}, &Problem{"--objects-keys-file", "it cannot be used: " + err.Error(), hintKeys}
		}
	} else if _, err := s3.Environment(); err != nil {
		return daemon.Objects{}, &Problem{"--objects", "the store wants keys: " + err.Error(), hintKeys}
	}
	return daemon.Objects{Bucket: &bucket}, nil
}

const hintKeys = "put aws_access_key_id = … and aws_secret_access_key = … into a file that only you may read, and name it with --objects-keys-file; " +
	"or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"

// folder is not looked for: a daemon that starts before it is mounted works, and says that it is not there.
func (o *objectsFlags) folder() (daemon.Objects, error) {
	if o.keysFile != "" {
		return daemon.Objects{}, &Problem{"--objects-keys-file", "--objects is a folder, which has no keys", "leave one of the two out"}
	}
	dir := o.at
	if rest, home := strings.CutPrefix(dir, "~/"); home {
		at, err := os.UserHomeDir()
		if err != nil {
			return daemon.Objects{}, err
		}
		dir = filepath.Join(at, rest)
	}
	if !filepath.IsAbs(dir) {
		return daemon.Objects{}, &Problem{
			"--objects", "it is neither a whole path nor an s3:// address",
			"a folder that all nodes see, by its whole path, or s3://BUCKET/PREFIX",
		}
	}
	return daemon.Objects{Folder: dir}, nil
}
