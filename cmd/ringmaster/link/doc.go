// Package link carries out what a face of the terminal wishes, by package client, and collects news for it. Nothing waits for the face and nothing grows: of
// the list of sessions the newest is kept, and a log that comes faster than it is shown waits at the daemon.
package link
