// Package webhook has the commands for webhooks (spec §7.17).
package webhook
