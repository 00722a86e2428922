package resource

// RootList says where sessions may work.
type RootList struct {
	Roots []string `json:"roots" example:"[\"/home/me/src\"]" doc:"Sessions may work inside these folders; links are followed"`
}

// Reloaded is what became of a configuration that was read again.
type Reloaded struct {
	File    string   `json:"file,omitempty" example:"/home/me/.config/ringmaster/config.toml" doc:"Where it was read; absent where the daemon has none"`
	Applied []string `json:"applied" example:"[\"log-level\"]" doc:"Names of the settings that have changed and are in effect"`
	Restart []string `json:"restart" example:"[]" doc:"Names of the settings that have changed and take effect when the daemon is restarted"`
}

// NewRoot is a folder that is to be added.
type NewRoot struct {
	Path string `json:"path" minLength:"1" maxLength:"4096" example:"/home/me/src" doc:"Absolute path of a folder that is there"`
}
