// Package post sends webhooks' deliveries (spec §7.17): where they may go, how they are signed, and what is read of an answer. A URL comes from a
// client, so it is held against the operator's list, and every address that its name has against what no client may reach through the daemon, when it is
// dialled.
package post
