// Package settings gives the flags of the daemon their values: those of the command line, of the environment, of the configuration file,
// and the default, in this order. The flags are the only list of settings there is: a flag that is added can be set in all three places.
package settings

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"

	"github.com/BurntSushi/toml"
)

// EnvFile names the environment variable with the path of the configuration file.
const EnvFile = "RINGMASTER_CONFIG"

// maxFile bounds the configuration file, in bytes.
const maxFile = 1 << 20

// File is a configuration file: TOML, with the names of flags as its keys.
type File struct {
	Path   string
	There  bool
	values map[string]any
}

// Problem is a setting that is refused.
type Problem struct {
	Where string // "file PATH" or "environment"
	Text  string
	Fix   string
}

func (p *Problem) Error() string { return p.Where + ": " + p.Text }

// Hint is what mends it.
func (p *Problem) Hint() string { return p.Fix }

// Find says where the configuration file is: what the command line names, else $RINGMASTER_CONFIG, else ringmaster/config.toml in the XDG
// folder of configurations (~/.config). Only a file that was named has to be there.
func Find(flag string) (path string, named bool, err error) {
	if flag == "" {
		flag = os.Getenv(EnvFile)
	}
	if flag != "" {
		path, err = filepath.Abs(flag)
		return path, true, err
	}
	if dir := os.Getenv("XDG_CONFIG_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "ringmaster", "config.toml"), false, nil
	}
	home, err := os.UserHomeDir()
	if err != nil { // then there is none
		return "", false, nil //nolint:nilerr // a service may have no home folder
	}
	return filepath.Join(home, ".config", "ringmaster", "config.toml"), false, nil
}

// Read reads the file. What others than its owner may write is refused: it says where agents may work.
func Read(path string, named bool) (File, error) {
	f := File{Path: path}
	if path == "" {
		return f, nil
	}
	where := "configuration file " + path
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !named:
		return f, nil
	case errors.Is(err, fs.ErrNotExist):
		return f, &Problem{where, "it is not there", "make it, or name another with --config or $" + EnvFile}
	case err != nil:
		return f, &Problem{where, err.Error(), "let this user read it"}
	case !info.Mode().IsRegular() || info.Size() > maxFile:
		return f, &Problem{where, "it is no file of settings", "name another with --config or $" + EnvFile}
	case info.Mode().Perm()&0o002 != 0:
		return f, &Problem{where, "everybody may write it, and it says where agents may work", "chmod o-w " + path}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return f, &Problem{where, err.Error(), "let this user read it"}
	}
	f.There, f.values = true, map[string]any{}
	if err := toml.Unmarshal(text, &f.values); err != nil {
		var p toml.ParseError
		if errors.As(err, &p) {
			return f, &Problem{
				where, fmt.Sprintf("line %d: %s", p.Position.Line, p.Message),
				"it is TOML: name = \"text\", name = true, name = [\"one\", \"two\"]",
			}
		}
		return f, &Problem{where, err.Error(), "it is TOML"}
	}
	return f, nil
}

// Folder is a setting of the file that is a path, for those that are needed before all others are; ok: it is there.
func (f File) Folder(name string) (path string, ok bool, err error) {
	v, there := f.values[name]
	if !there {
		return "", false, nil
	}
	text, isText := v.(string)
	if isText {
		text, isText = wholePath(text)
	}
	if !isText {
		return "", false, f.wants(name, v, wholePaths)
	}
	return text, true, nil
}

// Only is the file with one of its settings.
func (f File) Only(name string) File {
	f.values = maps.Clone(f.values)
	maps.DeleteFunc(f.values, func(k string, _ any) bool { return k != name })
	return f
}

func (f File) wants(name string, got any, want string) error {
	return &Problem{
		"configuration file " + f.Path, fmt.Sprintf("%s = %v: want %s", name, got, want),
		"ringmaster config print shows all settings as they are written",
	}
}
