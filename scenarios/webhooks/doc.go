// Package webhooks kills a daemon and a receiver of its webhooks, again and again, while sessions are at work, end and are deleted. In the end every event
// that the logs have, and of which something is to be told, was told at least once, in the order of its session, and nothing else was.
//
// RINGMASTER_WEBHOOK_KILLS says how many kills; `task webhooks` makes 500.
package webhooks
