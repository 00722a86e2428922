package resource

// OfferedChoice is a model or a mode that can be chosen.
type OfferedChoice struct {
	ID    string `json:"id" doc:"In the agent's own words"`
	Label string `json:"label,omitempty" doc:"For people"`
}

// OfferedModels is what models there are, and which one is in force.
type OfferedModels struct {
	Known   bool            `json:"known" doc:"false: no agent runs, or it has not said what it offers"`
	Models  []OfferedChoice `json:"models" doc:"What the agent offers"`
	All     bool            `json:"all" doc:"The agent takes no others. Otherwise it may know further ones, and says so itself."`
	Model   string          `json:"model,omitempty" doc:"In force"`
	Pending string          `json:"pending,omitempty" doc:"Chosen, and not in force yet"`
}

// OfferedModes is what modes there are, and which one is in force.
type OfferedModes struct {
	Known   bool            `json:"known" doc:"false: no agent runs, or it has not said what it offers"`
	Modes   []OfferedChoice `json:"modes" doc:"The agent takes no others"`
	Mode    string          `json:"mode,omitempty" doc:"In force"`
	Pending string          `json:"pending,omitempty" doc:"Chosen, and not in force yet"`
}
