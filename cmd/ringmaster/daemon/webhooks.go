package daemon

import (
	"math/rand/v2"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/disk"
	"github.com/ringmaster-agents/ringmaster/api/webhook"
	"github.com/ringmaster-agents/ringmaster/api/webhook/post"
)

// openWebhooks knows the webhooks of the daemon before. Nothing is sent yet.
func (d *Daemon) openWebhooks() (err error) {
	if err = d.allow.Set(d.cfg.Webhooks); err != nil {
		return err
	}
	d.webhooks, err = webhook.Open(d.cfg.Folder.Path, disk.OS(), webhook.Config{
		Allow: &d.allow, Log: d.cfg.Log, Now: time.Now, Chance: rand.Float64, Sender: post.New(d.cfg.Version, time.Now, &d.allow),
		Shelved: d.super.Logs().Shelved,
	})
	return err
}
