package resource

// Readiness says that a daemon takes work, and how much it has.
type Readiness struct {
	Ready    bool       `json:"ready" doc:"Always true: a daemon that is not answers with 503"`
	Sessions int        `json:"sessions" doc:"Known"`
	Live     int        `json:"live" doc:"In memory"`
	Agents   int        `json:"agents" doc:"Running agent processes"`
	Damaged  int        `json:"damaged" doc:"Sessions that are read-only because their journal is damaged"`
	Core     *CoreState `json:"core,omitempty" doc:"How far Core has the sessions' logs; absent: there is no Core"`
}

// CoreState says how far Core has the logs of a daemon's sessions. A daemon takes work also while Core does not answer.
type CoreState struct {
	Up      bool   `json:"up" doc:"Core answers"`
	Behind  uint64 `json:"behind" doc:"Events that are shown here and that Core is not known to have"`
	Waiting int    `json:"waiting" doc:"Sessions of which Core may lack something that can be sent"`
	Stuck   int    `json:"stuck" doc:"Sessions of which nothing can be sent: the daemon's log says why"`
	Problem string `json:"problem,omitempty" doc:"Why Core is of no use until somebody mends it; absent: it answers, or is merely away"`
	Hint    string `json:"hint,omitempty" doc:"What mends it"`
	LagMs   int64  `json:"lagMs" doc:"For how long the oldest of what waits has waited, in milliseconds"`
}
