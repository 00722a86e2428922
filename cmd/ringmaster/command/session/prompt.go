package session

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/exit"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// Bounds of what is read for a prompt, in bytes; the daemon's own are the same.
const (
	maxPromptText = 1 << 20
	maxImageFile  = 10 << 20
)

// readPrompt makes a prompt of arguments, standard input and files.
func readPrompt(in io.Reader, words, images []string) (resource.NewPrompt, error) {
	prompt := resource.NewPrompt{Text: strings.Join(words, " ")}
	if prompt.Text == "-" {
		text, err := io.ReadAll(io.LimitReader(in, maxPromptText+1))
		if err != nil {
			return resource.NewPrompt{}, fmt.Errorf("read the prompt: %w", err)
		}
		if len(text) > maxPromptText {
			return resource.NewPrompt{}, exit.Usagef("the prompt is longer than %d bytes", maxPromptText)
		}
		prompt.Text = string(text)
	}
	for _, file := range images {
		image, err := readImage(file)
		if err != nil {
			return resource.NewPrompt{}, err
		}
		prompt.Images = append(prompt.Images, image)
	}
	if strings.TrimSpace(prompt.Text) == "" && len(prompt.Images) == 0 {
		return resource.NewPrompt{}, exit.Usagef("the prompt is empty")
	}
	return prompt, nil
}

func readImage(file string) (resource.PromptImage, error) {
	f, err := os.Open(file)
	if err != nil {
		return resource.PromptImage{}, fmt.Errorf("--image: %w", err)
	}
	defer func() { _ = f.Close() }()
	data, err := io.ReadAll(io.LimitReader(f, maxImageFile+1))
	if err != nil {
		return resource.PromptImage{}, fmt.Errorf("--image: %w", err)
	}
	if len(data) > maxImageFile {
		return resource.PromptImage{}, exit.Usagef("--image %s: larger than 10 MiB", file)
	}
	media := http.DetectContentType(data)
	switch media {
	case "image/png", "image/jpeg", "image/gif", "image/webp":
		return resource.PromptImage{MediaType: media, Data: data}, nil
	}
	return resource.PromptImage{}, exit.Usagef("--image %s: no PNG, JPEG, GIF or WebP", file)
}
