// Package terminal shows a session's log to a person: what agents and users wrote is made harmless first (Cleaner,
// Visible), a View turns events into lines (pure, without clock or terminal), and a Painter puts the lines on a terminal.
package terminal
