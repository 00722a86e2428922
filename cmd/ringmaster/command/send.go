package command

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/client"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// Bounds of what is read for a prompt, in bytes; the daemon's own are the same.
const (
	maxPromptText = 1 << 20
	maxImageFile  = 10 << 20
)

func (p *Program) send() *cobra.Command {
	var steer, followUp, wait, asJSON bool
	var images []string
	var key string
	cmd := &cobra.Command{
		Use:   "send SESSION TEXT…|-",
		Short: "Send a prompt to a session",
		Long: `Send a prompt to a session. While a turn runs, a prompt waits for its end (--follow-up, the default) or goes into it
(--steer). The text - is read from standard input.`,
		Args: args(1, -1),
		Example: `  ringmaster send @last "now write a test for it"
  ringmaster send 3f2a --steer "not that file"
  git diff | ringmaster send @last - --wait
  ringmaster send @last --image shot.png "what is wrong here?"`,
		ValidArgsFunction: p.completeSession,
		RunE: func(cmd *cobra.Command, args []string) error {
			prompt, err := p.prompt(args[1:], images)
			if err != nil {
				return err
			}
			switch {
			case steer && followUp:
				return usagef("--steer and --follow-up exclude each other")
			case steer:
				prompt.StreamingBehavior = protocol.Steer
			case followUp:
				prompt.StreamingBehavior = protocol.FollowUp
			}
			if wait {
				return p.sendAndWait(cmd.Context(), args[0], prompt, key, asJSON)
			}
			p.stopOnSignal()
			ctx := cmd.Context()
			c, id, err := p.session(ctx, args[0])
			if err != nil {
				return err
			}
			defer c.Close()
			r, raw, err := c.Send(ctx, id, prompt, key)
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(p.Out, raw)
			}
			_, err = fmt.Fprintf(p.Out, "%s accepted%s; follow it with: ringmaster tail %s --since %s\n", r.PromptID, placeText(r), id, r.Cursor)
			return err
		},
	}
	f := cmd.Flags()
	f.BoolVar(&steer, "steer", false, "into the running turn")
	f.BoolVar(&followUp, "follow-up", false, "after the running turn")
	f.StringArrayVar(&images, "image", nil, "picture to send along (PNG, JPEG, GIF or WebP); may be repeated")
	f.StringVar(&key, "key", "", "idempotency key: the same key never makes a second turn")
	f.BoolVar(&wait, "wait", false, "show the turn, and exit as run does")
	f.BoolVar(&asJSON, "json", false, "the daemon's answer, or the events, as they are")
	_ = cmd.MarkFlagFilename("image", "png", "jpg", "jpeg", "gif", "webp")
	cmd.Annotations = map[string]string{ownSignals: ""}
	return cmd
}

func placeText(r resource.PromptAccepted) string {
	switch {
	case r.Repeated:
		return " before, with the same key"
	case r.Position > 0:
		return fmt.Sprintf(", %d in the queue", r.Position)
	}
	return ""
}

// sendAndWait sends a prompt and follows until its work is over.
func (p *Program) sendAndWait(ctx context.Context, name string, prompt client.Prompt, key string, asJSON bool) error {
	c, id, err := p.session(ctx, name)
	if err != nil {
		return err
	}
	defer c.Close()
	r, _, err := c.Send(ctx, id, prompt, key)
	if err != nil {
		return err
	}
	since, err := protocol.ParseCursor(r.Cursor)
	if err != nil {
		return fmt.Errorf("the daemon's answer: %w", err)
	}
	o := outcome{promptID: r.PromptID}
	form := formHuman
	if asJSON {
		form = formJSON
	}
	err = p.follow(ctx, following{
		client: c, id: id, since: since, until: o.line, signalled: p.interrupting(c, id),
		screen: p.screen(screenOptions{form: form, session: shortID(id)}),
	})
	if err != nil {
		return err
	}
	return o.result()
}

// prompt makes a prompt of arguments, standard input and files.
func (p *Program) prompt(words, images []string) (client.Prompt, error) {
	prompt := client.Prompt{Text: strings.Join(words, " ")}
	if prompt.Text == "-" {
		text, err := io.ReadAll(io.LimitReader(p.In, maxPromptText+1))
		if err != nil {
			return client.Prompt{}, fmt.Errorf("read the prompt: %w", err)
		}
		if len(text) > maxPromptText {
			return client.Prompt{}, usagef("the prompt is longer than %d bytes", maxPromptText)
		}
		prompt.Text = string(text)
	}
	for _, file := range images {
		image, err := readImage(file)
		if err != nil {
			return client.Prompt{}, err
		}
		prompt.Images = append(prompt.Images, image)
	}
	if strings.TrimSpace(prompt.Text) == "" && len(prompt.Images) == 0 {
		return client.Prompt{}, usagef("the prompt is empty")
	}
	return prompt, nil
}

func readImage(file string) (client.Image, error) {
	f, err := os.Open(file)
	if err != nil {
		return client.Image{}, fmt.Errorf("--image: %w", err)
	}
	defer func() { _ = f.Close() }()
	data, err := io.ReadAll(io.LimitReader(f, maxImageFile+1))
	if err != nil {
		return client.Image{}, fmt.Errorf("--image: %w", err)
	}
	if len(data) > maxImageFile {
		return client.Image{}, usagef("--image %s: larger than 10 MiB", file)
	}
	media := http.DetectContentType(data)
	switch media {
	case "image/png", "image/jpeg", "image/gif", "image/webp":
		return client.Image{MediaType: media, Data: data}, nil
	}
	return client.Image{}, usagef("--image %s: no PNG, JPEG, GIF or WebP", file)
}
