package service

import (
	"encoding/xml"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

var hard = Service{
	Call: []string{"/opt/ring master/ringmaster", "serve", `--root=/srv/50%/$HOME/"a"\b`, "--allow-origin=https://a?b=1&c=<d>"},
	Path: `/usr/bin:/home/me/$x/50%`, Log: "/home/me/.local/state/ringmaster/daemon.log",
}

// TestUnit: what is special to systemd stands for itself, and systemd finds nothing wrong.
func TestUnit(t *testing.T) {
	text, err := unit(hard)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`ExecStart="/opt/ring master/ringmaster" "serve" "--root=/srv/50%%/$$HOME/\"a\"\\b" "--allow-origin=https://a?b=1&c=<d>"` + "\n",
		`Environment="PATH=/usr/bin:/home/me/$x/50%%"` + "\n", Mark,
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
	for _, s := range []Service{{Call: []string{"/a\nUser=root"}}, {Call: []string{"/a"}, Path: "/x\nUser=root"}} {
		if _, err := unit(s); err == nil {
			t.Errorf("%q is taken", s)
		}
		if _, err := plist(s); err == nil {
			t.Errorf("%q is taken by launchd", s)
		}
	}
	analyze, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("systemd-analyze is not here")
	}
	program := filepath.Join(t.TempDir(), "ring master")
	if err := os.WriteFile(program, []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	h := hard
	h.Call = append([]string{program}, hard.Call[1:]...)
	if text, err = unit(h); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "ringmaster.service")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(analyze, "verify", "--user", file)
	cmd.Env = append(os.Environ(), "XDG_RUNTIME_DIR="+t.TempDir())
	if out, err := cmd.CombinedOutput(); err != nil || strings.Contains(string(out), file) {
		t.Errorf("systemd says %v: %s", err, out)
	}
}

// TestPlist: it is XML that holds the words of the call as they are.
func TestPlist(t *testing.T) {
	text, err := plist(hard)
	if err != nil {
		t.Fatal(err)
	}
	var p struct {
		Dict struct {
			Call []string `xml:"array>string"`
			Text []string `xml:"string"`
		} `xml:"dict"`
	}
	if err := xml.Unmarshal(text, &p); err != nil {
		t.Fatal(err)
	}
	if strings.Join(p.Dict.Call, "\n") != strings.Join(hard.Call, "\n") {
		t.Errorf("%q", p.Dict.Call)
	}
	if len(p.Dict.Text) != 2 || p.Dict.Text[0] != label || p.Dict.Text[1] != hard.Log {
		t.Errorf("%q", p.Dict.Text)
	}
}
