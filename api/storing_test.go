package api

import (
	"encoding/json"
	"errors"
	"io/fs"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

func withImages(t *testing.T, text string, images ...picture) string {
	t.Helper()
	body, err := json.Marshal(map[string]any{"text": text, "images": images})
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// stored lists the files in a session's folder of images.
func (h *harness) stored(id string) (names []string) {
	h.t.Helper()
	list, err := os.ReadDir(h.tree.Images(id).Dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		h.t.Fatal(err)
	}
	for _, e := range list {
		names = append(names, e.Name())
	}
	return names
}

// TestRefusedImages: a prompt that is refused leaves no image behind, and takes none away that another names.
func TestRefusedImages(t *testing.T) {
	h := newHarness(t)
	one, two := picture{"image/png", pictures(1, 1)["image/png"]}, picture{"image/gif", pictures(2, 2)["image/gif"]}
	bad := picture{"image/png", []byte("no picture")}
	mute, id := h.create("mute"), h.create("busy")
	prompts := func(id string) string { return "/sessions/" + id + "/prompts" }

	h.refused(http.StatusUnprocessableEntity, protocol.CodeNotSupported, "POST", prompts(mute), withImages(t, "look", one))
	h.refused(http.StatusBadRequest, protocol.CodeInvalidRequest, "POST", prompts(id), withImages(t, "look", one, bad))
	h.refused(http.StatusNotFound, protocol.CodeSessionNotFound, "POST", prompts("00000000-0000-4000-8000-000000000000"), withImages(t, "look", one))
	if got := append(h.stored(mute), h.stored(id)...); len(got) > 0 {
		t.Errorf("left behind: %v", got)
	}
	h.want(http.StatusAccepted, "POST", prompts(id), withImages(t, "look", one), "Idempotency-Key", "k")
	kept := h.stored(id)
	h.refused(http.StatusConflict, protocol.CodeConflict, "POST", prompts(id), withImages(t, "look", one, two), "Idempotency-Key", "k")
	for range 4 {
		h.want(http.StatusAccepted, "POST", prompts(id), `{"text":"wait"}`)
	}
	h.refused(http.StatusServiceUnavailable, protocol.CodeOverloaded, "POST", prompts(id), withImages(t, "look", two, one))
	if got := h.stored(id); len(kept) != 1 || len(got) != 1 || got[0] != kept[0] {
		t.Errorf("there are %v, and were %v", got, kept)
	}
}

// TestOneImageInManyPrompts: of prompts with the same image at once some are refused, and the others have it.
func TestOneImageInManyPrompts(t *testing.T) {
	h := newHarness(t)
	image := picture{"image/png", pictures(3, 3)["image/png"]}
	body := withImages(t, "look", image)
	for range 10 {
		id := h.create("busy")
		for range 4 { // one in the turn, and room for one more
			h.want(http.StatusAccepted, "POST", "/sessions/"+id+"/prompts", `{"text":"wait"}`)
		}
		var wg sync.WaitGroup
		var mu sync.Mutex
		got := map[int]int{}
		for range 8 {
			wg.Go(func() {
				res, err := h.http.Do(h.request("POST", "/sessions/"+id+"/prompts", body))
				if err != nil {
					t.Error(err)
					return
				}
				_ = res.Body.Close()
				mu.Lock()
				defer mu.Unlock()
				got[res.StatusCode]++
			})
		}
		wg.Wait()
		if names := h.stored(id); got[http.StatusAccepted] != 1 || got[http.StatusServiceUnavailable] != 7 || len(names) != 1 || strings.HasPrefix(names[0], ".") {
			t.Fatalf("answers %v, files %v", got, names)
		}
	}
}
