package resource

import "time"

// NativeSession is a session that an agent has of its own.
type NativeSession struct {
	Agent   string    `json:"agent" doc:"The agent that has it"`
	ID      string    `json:"nativeSessionId" doc:"What createSession takes to go on with it"`
	Cwd     string    `json:"cwd" doc:"Where it worked"`
	Title   string    `json:"title,omitempty" doc:"What the agent calls it, or the beginning of its first prompt; one line of at most 120 bytes"`
	Updated time.Time `json:"updatedAt" doc:"When the agent wrote to it last"`

	SessionID string `json:"sessionId,omitempty" doc:"The session of this daemon that works with it and has not ended: a second one is refused"`
}

// NativeList is what agents have in one folder.
type NativeList struct {
	Sessions []NativeSession `json:"sessions" doc:"The newest first, at most 200"`
}
