// Package webhook tells programs of what happens in sessions (spec §7.17): it looks at logs where the list of sessions says that there is something new,
// sends notices, and keeps in the file webhooks how far each webhook is in each session. What is decided is in core; how a notice is sent is in post.
// This package has the disk, the time, the list, the logs and those who wait.
package webhook
