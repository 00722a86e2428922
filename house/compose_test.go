package house

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// composed is what compose.yaml may say: what is not here is a mistake, or has to be looked at.
type composed struct {
	Name     string         `yaml:"name"`
	Core     map[string]any `yaml:"x-core"`
	Settings map[string]any `yaml:"x-settings"`
	Node     map[string]any `yaml:"x-node"`
	Services map[string]struct {
		Image       string            `yaml:"image"`
		Build       string            `yaml:"build"`
		Command     []string          `yaml:"command"`
		Environment map[string]string `yaml:"environment"`
		Ports       []string          `yaml:"ports"`
		Volumes     []string          `yaml:"volumes"`
		DependsOn   map[string]struct {
			Condition string `yaml:"condition"`
		} `yaml:"depends_on"`
		HealthCheck struct {
			Test     []string `yaml:"test"`
			Interval string   `yaml:"interval"`
			Timeout  string   `yaml:"timeout"`
			Retries  int      `yaml:"retries"`
		} `yaml:"healthcheck"`
		Restart         string `yaml:"restart"`
		StopGracePeriod string `yaml:"stop_grace_period"`
	} `yaml:"services"`
	Volumes map[string]any `yaml:"volumes"`
}

// TestCompose: what compose.yaml has the image do, the program does: its commands, and every setting, which the program itself reads and checks here.
// Nothing is published beyond this machine, and volumes are where the image has folders for its user. Docker itself is not asked.
//
// Proves: I16.8/compose
func TestCompose(t *testing.T) {
	var file composed
	in := yaml.NewDecoder(bytes.NewReader(read(t, "compose.yaml")))
	in.KnownFields(true)
	if err := in.Decode(&file); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), "ringmaster")
	if out, err := exec.Command("go", "build", "-o", program, "./cmd/ringmaster").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	image := string(read(t, "Dockerfile"))
	nodes := 0
	for name, s := range file.Services {
		for other, on := range s.DependsOn {
			to, is := file.Services[other]
			if !is || on.Condition == "service_healthy" && len(to.HealthCheck.Test) == 0 {
				t.Errorf("%s depends on %s, which is not there or tells no health", name, other)
			}
		}
		for _, v := range s.Volumes {
			volume, at, _ := strings.Cut(v, ":")
			if _, is := file.Volumes[volume]; !is {
				t.Errorf("%s: there is no volume %s", name, volume)
			}
			if s.Image == "ringmaster-nodes" && !strings.Contains(image, " /image"+at+" ") {
				t.Errorf("%s: the image has no folder %s for its user, and the volume would be root's", name, at)
			}
		}
		for _, port := range s.Ports {
			if parts := strings.Split(port, ":"); len(parts) != 3 || parts[0] != "127.0.0.1" || parts[1] != parts[2] || !strings.HasSuffix(s.Environment["RINGMASTER_LISTEN"], ":"+parts[2]) {
				t.Errorf("%s publishes %s, and listens on %q", name, port, s.Environment["RINGMASTER_LISTEN"])
			}
		}
		if s.Image != "ringmaster-nodes" {
			continue
		}
		if out, err := exec.Command(program, append(slices.Clone(s.Command), "--help")...).CombinedOutput(); err != nil || !bytes.Contains(out, []byte("Usage:")) {
			t.Errorf("%s: %q: %v: %s", name, s.Command, err, out)
		}
		if slices.Equal(s.Command, []string{"serve"}) {
			nodes++
			settingsOf(t, program, name, s.Environment)
		}
	}
	if nodes != 3 {
		t.Errorf("%d nodes", nodes)
	}
	for _, m := range regexp.MustCompile(`docker compose (?:exec|kill|start|stop) (?:--?\S+ )*(\w+)`).FindAllSubmatch(append(read(t, "compose.yaml"), read(t, "docs/many-nodes.md")...), -1) {
		if _, is := file.Services[string(m[1])]; !is {
			t.Errorf("%s: there is no such service", m[0])
		}
	}
}

// settingsOf has the program read what a node's environment says: with the image's folder for work in another place, and without one variable, which only Core's
// driver reads.
func settingsOf(t *testing.T, program, name string, environment map[string]string) {
	t.Helper()
	work := t.TempDir()
	cmd := exec.Command(program, "--data", filepath.Join(work, "data"), "config", "print")
	cmd.Env = []string{"HOME=" + work, "PATH=" + os.Getenv("PATH")}
	for key, value := range environment {
		if value == "/work" || strings.HasSuffix(value, "=/work") {
			value = strings.TrimSuffix(value, "/work") + work
		}
		cmd.Env = append(cmd.Env, key+"="+value)
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%s: %v: %s", name, err, out)
	}
	for key := range environment {
		flag, ours := strings.CutPrefix(key, "RINGMASTER_")
		if ours && !bytes.Contains(out, []byte("$"+key)) {
			t.Errorf("%s: no setting is from %s (--%s?)", name, key, strings.ToLower(strings.ReplaceAll(flag, "_", "-")))
		}
	}
}
