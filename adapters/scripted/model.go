package scripted

import "strings"

// model is one of the two that the agent pretends to have.
type model struct {
	ID            string    `json:"id"`
	Name          string    `json:"name"`
	API           string    `json:"api"`
	Provider      string    `json:"provider"`
	BaseURL       string    `json:"baseUrl"`
	Reasoning     bool      `json:"reasoning"`
	Input         []string  `json:"input"`
	Cost          modelCost `json:"cost"`
	ContextWindow int       `json:"contextWindow"`
	MaxTokens     int       `json:"maxTokens"`
}

// modelCost is in US dollars per million tokens.
type modelCost struct {
	CacheRead  float64 `json:"cacheRead"`
	CacheWrite float64 `json:"cacheWrite"`
	Input      float64 `json:"input"`
	Output     float64 `json:"output"`
}

const (
	provider = "scripted"
	api      = "openai-completions"
)

var models = []model{
	{
		ID: "scripted-1", Name: "Scripted One", API: api, Provider: provider, BaseURL: "http://127.0.0.1:0/v1", Reasoning: true,
		Input: []string{"text", "image"}, Cost: modelCost{Input: 1, Output: 2, CacheRead: 0.1, CacheWrite: 1.25},
		ContextWindow: 128000, MaxTokens: 8192,
	},
	{
		ID: "scripted-2", Name: "Scripted Two", API: api, Provider: provider, BaseURL: "http://127.0.0.1:0/v1",
		Input: []string{"text"}, Cost: modelCost{Input: 3, Output: 15, CacheRead: 0.3, CacheWrite: 3.75},
		ContextWindow: 128000, MaxTokens: 8192,
	},
}

// findModel finds a model by its id, or by "provider/id"; an empty provider means any.
func findModel(prov, id string) (model, bool) {
	if p, rest, ok := strings.Cut(id, "/"); ok && prov == "" {
		prov, id = p, rest
	}
	for _, m := range models {
		if m.ID == id && (prov == "" || prov == m.Provider) {
			return m, true
		}
	}
	return model{}, false
}

// priced makes the wire form of a usage.
func (m model) priced(u Usage) wireUsage {
	const million = 1e6
	c := wireCost{
		Input:             float64(u.Input) * m.Cost.Input / million,
		Output:            float64(u.Output) * m.Cost.Output / million,
		CacheRead:         float64(u.CacheRead) * m.Cost.CacheRead / million,
		CacheWrite:        float64(u.CacheWrite) * m.Cost.CacheWrite / million,
		TotalFromProvider: ptr(false),
	}
	if u.Unpriced {
		c = wireCost{TotalFromProvider: c.TotalFromProvider}
	}
	c.Total = c.Input + c.Output + c.CacheRead + c.CacheWrite
	return wireUsage{
		Input: u.Input, Output: u.Output, CacheRead: u.CacheRead, CacheWrite: u.CacheWrite, Reasoning: ptr(u.Reasoning),
		TotalTokens: u.Input + u.Output + u.CacheRead + u.CacheWrite, Cost: c,
	}
}
