package protocol

// Usage counts tokens. InputTokens is all input, cached included; OutputTokens includes reasoning (spec §4.7).
type Usage struct {
	InputTokens           int64    `json:"inputTokens"`
	CachedInputTokens     int64    `json:"cachedInputTokens"`
	OutputTokens          int64    `json:"outputTokens"`
	ReasoningOutputTokens int64    `json:"reasoningOutputTokens,omitempty"`
	TotalTokens           int64    `json:"totalTokens"`
	Extra                 []Member `json:"-"`
}

// Cost is in US dollars, as the agent says.
type Cost struct {
	Input     float64  `json:"input"`
	Output    float64  `json:"output"`
	CacheRead float64  `json:"cacheRead"`
	Total     float64  `json:"total"`
	Extra     []Member `json:"-"`
}

// TokenUsage is what one model request used. SessionTotal is the agent's own running total, as given; it may fall
// (spec §4.7).
type TokenUsage struct {
	TurnID       string `json:"turnId,omitempty"`
	Usage        Usage  `json:"usage"`
	SessionTotal *Usage `json:"sessionTotal,omitempty"`
	Cost         *Cost  `json:"cost,omitempty"`
	Model        string `json:"model,omitempty"`
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
	c.rest(&u.Extra)
}
