package droid

import "github.com/ringmaster-agents/ringmaster/adapters"

// mcpServer is one that a session has beside those of the user's own configuration. One call of a tool may take 180 s: there is no
// setting for it here.
type mcpServer struct {
	Type    string   `json:"type"`
	Name    string   `json:"name"`
	URL     string   `json:"url"`
	Headers []header `json:"headers"`
	OAuth   bool     `json:"oauth"` // false: a refusal is a refusal, and no reason to log in
}

type header struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// mcpServers are those that the session is given. The line has the name of the token's variable, which Droid fills in.
func mcpServers(s *adapters.MCPServer) []mcpServer {
	if s == nil {
		return nil
	}
	return []mcpServer{{Type: "http", Name: s.Name, URL: s.URL, Headers: []header{{"Authorization", adapters.MCPAuthorization}}}}
}
