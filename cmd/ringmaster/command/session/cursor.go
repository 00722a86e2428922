package session

import (
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// cursorFlag is the value of a flag that takes a cursor.
type cursorFlag struct{ protocol.Cursor }

func (c *cursorFlag) String() string {
	if c.Start() {
		return ""
	}
	return c.Cursor.String()
}

func (c *cursorFlag) Set(text string) (err error) {
	c.Cursor, err = protocol.ParseCursor(text)
	return err
}

func (c *cursorFlag) Type() string { return "cursor" }
