package protocol

// Usage counts tokens. InputTokens is all input, cached included; OutputTokens includes reasoning (spec §4.7).
type Usage struct {
	InputTokens           int64    `json:"inputTokens"`                     // all input, cached included
	CachedInputTokens     int64    `json:"cachedInputTokens"`               // the part of the input that came from the provider's cache
	OutputTokens          int64    `json:"outputTokens"`                    // all output, reasoning included
	ReasoningOutputTokens int64    `json:"reasoningOutputTokens,omitempty"` // the part of the output that was reasoning
	TotalTokens           int64    `json:"totalTokens"`                     // input and output
	Extra                 []Member `json:"-"`
}

// Cost is in US dollars: as the agent says or, estimated, as the daemon works it out of a price file (spec §4.7).
type Cost struct {
	Input     float64  `json:"input"`               // US dollars for input that was not cached
	Output    float64  `json:"output"`              // US dollars for output
	CacheRead float64  `json:"cacheRead"`           // US dollars for input that came from the cache
	Total     float64  `json:"total"`               // US dollars in all
	Estimated bool     `json:"estimated,omitempty"` // the daemon worked it out of a price file; of a sum: of a part of it
	Extra     []Member `json:"-"`
}

// TokenUsage is what one model request used. SessionTotal is the agent's own running total, as given; it may fall
// (spec §4.7).
type TokenUsage struct {
	TurnID       string `json:"turnId,omitempty"`       // the turn that the model request was made for; absent: none
	Usage        Usage  `json:"usage"`                  // what this one model request used
	SessionTotal *Usage `json:"sessionTotal,omitempty"` // the agent's own running total, as given; it may fall
	Cost         *Cost  `json:"cost,omitempty"`         // what this one model request cost, where the agent or a price file says it
	Model        string `json:"model,omitempty"`        // the model that was asked
}

func (*TokenUsage) Type() Type { return TypeTokenUsage }

func (p *TokenUsage) code(c *coder) {
	c.optStr("turnId", &p.TurnID)
	c.object("usage", &p.Usage)
	optObject(c, "sessionTotal", &p.SessionTotal)
	optObject(c, "cost", &p.Cost)
	c.optStr("model", &p.Model)
}

func (u *Usage) code(c *coder) {
	c.int64("inputTokens", &u.InputTokens)
	c.int64("cachedInputTokens", &u.CachedInputTokens)
	c.int64("outputTokens", &u.OutputTokens)
	c.optInt64("reasoningOutputTokens", &u.ReasoningOutputTokens)
	c.int64("totalTokens", &u.TotalTokens)
	c.rest(&u.Extra)
}

func (u *Cost) code(c *coder) {
	c.float("input", &u.Input)
	c.float("output", &u.Output)
	c.float("cacheRead", &u.CacheRead)
	c.float("total", &u.Total)
	c.optBool("estimated", &u.Estimated)
	c.rest(&u.Extra)
}
