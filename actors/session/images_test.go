package session

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

func TestImagesAreStoredOnceByContent(t *testing.T) {
	images := Images{Dir: filepath.Join(t.TempDir(), "images")}
	for n := range 2 {
		ref, isNew, err := images.Put("image/png", []byte("picture"))
		if err != nil || isNew != (n == 0) {
			t.Fatal(isNew, err)
		}
		loaded := adapters.Image{Ref: ref}
		if err := images.Load(&loaded); err != nil || string(loaded.Data) != "picture" || loaded.MediaType != "image/png" {
			t.Fatalf("%+v, %v", loaded, err)
		}
	}
	if files, err := os.ReadDir(images.Dir); err != nil || len(files) != 1 {
		t.Fatalf("%v, %v", files, err)
	}
}

// TestImageThatCannotBeStored: a folder that is none stands for every disk that refuses.
func TestImageThatCannotBeStored(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, _, err := Images{Dir: filepath.Join(file, "images")}.Put("image/png", []byte("picture"))
	var problem *protocol.Problem
	if !errors.As(err, &problem) || problem.Code != protocol.CodeReadOnly || problem.Hint == "" || strings.Contains(problem.Detail, file) {
		t.Fatalf("%v", err)
	}
}
