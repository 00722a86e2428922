package session

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/exit"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/picture"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// maxPromptText bounds what is read for a prompt, in bytes; the daemon's own bound is the same.
const maxPromptText = 1 << 20

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
		image, err := picture.Read(file)
		switch {
		case errors.Is(err, picture.ErrLarge), errors.Is(err, picture.ErrType):
			return resource.NewPrompt{}, exit.Usagef("--image %v", err)
		case err != nil:
			return resource.NewPrompt{}, fmt.Errorf("--image: %w", err)
		}
		prompt.Images = append(prompt.Images, image)
	}
	if strings.TrimSpace(prompt.Text) == "" && len(prompt.Images) == 0 {
		return resource.NewPrompt{}, exit.Usagef("the prompt is empty")
	}
	return prompt, nil
}
