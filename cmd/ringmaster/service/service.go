// Package service describes the daemon to the managers of a user's services: as a user unit of systemd, and as an agent of launchd.
package service

import (
	"bytes"
	"encoding/xml"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"text/template"
)

// Mark stands in every file that is made here: others are left alone.
const Mark = "Made by ringmaster service install"

// label is the service's name for launchd.
const label = "io.github.ringmaster-agents.ringmaster"

// Service is a daemon as it is to be run.
type Service struct {
	Call []string // program and arguments
	Path string   // $PATH, by which agents are found
	Log  string   // where standard error goes, for a manager that keeps no log itself
}

// Manager is one kind of manager.
type Manager struct {
	Path     func() (string, error) // of the service's file
	Describe func(Service) ([]byte, error)
	Load     func() [][]string            // commands that fail where the manager cannot be reached, and have it read the file
	Loaded   func() []string              // fails where an earlier file is not in effect; nil: one that is makes no difference
	Start    func(path string) [][]string // commands that start what the file describes, now and at each login
	Stop     func(path string) [][]string // and that end it
}

// Managers are those that are known.
var Managers = map[string]Manager{
	"systemd": {
		Path: systemdPath, Describe: unit,
		Load: func() [][]string { return [][]string{{"systemctl", "--user", "daemon-reload"}} },
		Start: func(string) [][]string {
			return [][]string{
				{"systemctl", "--user", "enable", "ringmaster.service"},
				{"systemctl", "--user", "restart", "ringmaster.service"},
			}
		},
		Stop: func(string) [][]string {
			return [][]string{{"systemctl", "--user", "disable", "--now", "ringmaster.service"}}
		},
	},
	"launchd": {
		Path: launchdPath, Describe: plist,
		Load:   func() [][]string { return [][]string{{"launchctl", "print", domain()}} },
		Loaded: func() []string { return []string{"launchctl", "print", domain() + "/" + label} }, // which bootstrap refuses
		Start: func(path string) [][]string {
			return [][]string{{"launchctl", "bootstrap", domain(), path}, {"launchctl", "kickstart", "-k", domain() + "/" + label}}
		},
		Stop: func(string) [][]string { return [][]string{{"launchctl", "bootout", domain() + "/" + label}} },
	},
}

func domain() string { return "gui/" + strconv.Itoa(os.Getuid()) }

func systemdPath() (string, error) {
	dir := os.Getenv("XDG_CONFIG_HOME")
	if !filepath.IsAbs(dir) {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", err
		}
		dir = filepath.Join(home, ".config")
	}
	return filepath.Join(dir, "systemd", "user", "ringmaster.service"), nil
}

func launchdPath() (string, error) {
	home, err := os.UserHomeDir()
	return filepath.Join(home, "Library", "LaunchAgents", label+".plist"), err
}

// The daemon drains within 10 s, and ends its agents itself: the manager asks it alone, and takes what is left after 20 s. Delegate gives it a
// control group of its own, so that limits of the unit are its agents' as well, in which it may make one for each of them.
var unitText = template.Must(template.New("unit").Parse(`# {{.Mark}}. Settings are better kept in the configuration file.
[Unit]
Description=Ringmaster, a supervisor for sessions of coding agents
Documentation=https://github.com/ringmaster-agents/ringmaster

[Service]
Type=exec
ExecStart={{.Call}}
ExecReload=/bin/kill -HUP $MAINPID
Environment={{.Path}}
Restart=on-failure
RestartSec=2
KillMode=mixed
TimeoutStopSec=20
LimitNOFILE=65536
Delegate=yes

[Install]
WantedBy=default.target
`))

var errControl = errors.New("a service's command line and $PATH hold no control characters")

func unit(s Service) ([]byte, error) {
	words := make([]string, 0, len(s.Call))
	for _, w := range s.Call {
		words = append(words, quote(w))
	}
	if strings.ContainsFunc(strings.Join(s.Call, "")+s.Path, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return nil, errControl
	}
	var b bytes.Buffer
	err := unitText.Execute(&b, struct{ Mark, Call, Path string }{Mark, strings.Join(words, " "), quoteEnv("PATH=" + s.Path)})
	return b.Bytes(), err
}

// quote writes a word of a command line: % begins a specifier, $ a variable.
func quote(word string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, `%`, `%%`, `$`, `$$`).Replace(word) + `"`
}

// quoteEnv writes an assignment, in which $ is itself.
func quoteEnv(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, `%`, `%%`).Replace(text) + `"`
}

var plistText = template.Must(template.New("plist").Funcs(template.FuncMap{"xml": escaped}).Parse(`<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<!-- {{.Mark}}. Settings are better kept in the configuration file. -->
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>{{xml .Label}}</string>
  <key>ProgramArguments</key>
  <array>
{{- range .Call}}
    <string>{{xml .}}</string>
{{- end}}
  </array>
  <key>EnvironmentVariables</key>
  <dict>
    <key>PATH</key>
    <string>{{xml .Path}}</string>
  </dict>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>ExitTimeOut</key>
  <integer>20</integer>
  <key>SoftResourceLimits</key>
  <dict>
    <key>NumberOfFiles</key>
    <integer>65536</integer>
  </dict>
  <key>StandardErrorPath</key>
  <string>{{xml .Log}}</string>
</dict>
</plist>
`))

func plist(s Service) ([]byte, error) {
	if strings.ContainsFunc(strings.Join(s.Call, "")+s.Path+s.Log, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return nil, errControl
	}
	var b bytes.Buffer
	err := plistText.Execute(&b, struct {
		Service
		Mark, Label string
	}{s, Mark, label})
	return b.Bytes(), err
}

func escaped(text string) (string, error) {
	var b strings.Builder
	err := xml.EscapeText(&b, []byte(text))
	return b.String(), err
}
