package resource

import "time"

// NewCollection asks for what retention removes.
type NewCollection struct {
	DryRun    bool   `json:"dryRun,omitempty" example:"true" doc:"Say what would go, and remove nothing"`
	KeepFor   string `json:"keepFor,omitempty" maxLength:"40" example:"720h" doc:"Sessions at rest stay for so long after their newest event, such as 720h; absent, with keepBytes: as the daemon is configured"`
	KeepBytes int64  `json:"keepBytes,omitempty" minimum:"0" maximum:"9007199254740991" doc:"All sessions together may have so many bytes on the disk; absent, with keepFor: as the daemon is configured"`
}

// Collection is what retention removes.
type Collection struct {
	Going     []Going        `json:"going" doc:"What goes, in order: the first 1000"`
	Sessions  int            `json:"sessions" doc:"How many sessions go"`
	Archives  int            `json:"archives" doc:"Of how many further sessions the native lines alone go"`
	Freed     int64          `json:"freed" doc:"Bytes that they have on the disk"`
	Total     int64          `json:"total" doc:"Bytes that all sessions have on the disk"`
	Stays     map[string]int `json:"stays" doc:"How many sessions stay in any case, with their trees, by what keeps them, such as pinned"`
	KeepFor   string         `json:"keepFor,omitempty" doc:"The rule: how long sessions stay; absent: for ever"`
	KeepBytes int64          `json:"keepBytes,omitempty" doc:"The rule: bytes of all sessions; absent: any number"`
	Begun     bool           `json:"begun" doc:"It goes, from now on; false: it would"`
}

// Going is one session that goes, or its native lines.
type Going struct {
	SessionID string    `json:"sessionId" doc:"The session"`
	What      string    `json:"what" enum:"session,native_lines" doc:"What of it goes"`
	Reason    string    `json:"reason" enum:"age,bytes,disk" doc:"age: older than is kept. bytes: there are too many. disk: too little of the disk is free"`
	Bytes     int64     `json:"bytes" doc:"On the disk"`
	Since     time.Time `json:"since" doc:"Time of the newest event of the session, and of those above and below it"`
}
