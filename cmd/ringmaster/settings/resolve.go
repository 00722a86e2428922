package settings

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// The sources of a value. One of the environment or the file says which.
const (
	FromFlag    = "flag"
	FromDefault = "default"
)

// Data is the setting that says where all else is; it is no flag of the daemon alone.
const Data = "data"

// EnvName is the environment variable of a setting.
func EnvName(name string) string {
	return "RINGMASTER_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
}

// paths are the settings that name files and folders: whole, since a daemon works in a folder of its own. A list of them is written in
// the environment as $PATH is; others have commas, as URLs have colons.
var paths = []string{"core-ca-file", "core-password-file", "core-token-file", "objects-keys-file", "prices", "root", "socket", "tls-cert", "tls-key", Data}

const wholePaths = `a whole path, such as "/srv/src" or "~/src"`

// wholePath gives a path that begins at the root, or in the home folder.
func wholePath(text string) (path string, ok bool) {
	if rest, home := strings.CutPrefix(text, "~/"); home {
		dir, err := os.UserHomeDir()
		return filepath.Join(dir, rest), err == nil
	}
	return text, filepath.IsAbs(text) || text == "" || text == none
}

// Resolve gives each flag of a set that was not on the command line its value of the environment or of the file, and says where each is
// from. Hidden flags are no settings. Nothing may be in the file that is none.
func Resolve(set *pflag.FlagSet, file File) (from map[string]string, err error) {
	from = map[string]string{}
	for _, key := range slices.Sorted(maps.Keys(file.values)) {
		if f := set.Lookup(key); key != Data && (f == nil || f.Hidden) {
			return nil, file.unknown(key, set)
		}
	}
	set.VisitAll(func(f *pflag.Flag) {
		if err == nil && !f.Hidden {
			from[f.Name], err = resolve(f, file)
		}
	})
	return from, err
}

func resolve(f *pflag.Flag, file File) (from string, err error) {
	if f.Changed {
		return FromFlag, nil
	}
	if text, ok := os.LookupEnv(EnvName(f.Name)); ok && text != "" {
		if err := fromText(f, text); err != nil {
			return "", &Problem{"environment", fmt.Sprintf("%s=%s: %v", EnvName(f.Name), text, err), "ringmaster serve --help says what --" + f.Name + " takes"}
		}
		return "$" + EnvName(f.Name), nil
	}
	v, there := file.values[f.Name]
	if !there {
		return FromDefault, nil
	}
	if err := file.set(f, v); err != nil {
		return "", err
	}
	return file.Path, nil
}

func fromText(f *pflag.Flag, text string) error {
	list, ok := f.Value.(pflag.SliceValue)
	if !ok {
		return setText(f, text)
	}
	if slices.Contains(paths, f.Name) {
		return setList(f, list, filepath.SplitList(text))
	}
	return setList(f, list, strings.Split(text, ","))
}

func setText(f *pflag.Flag, text string) error {
	if slices.Contains(paths, f.Name) {
		whole, ok := wholePath(text)
		if !ok {
			return errors.New("want " + wholePaths)
		}
		text = whole
	}
	return f.Value.Set(text)
}

func setList(f *pflag.Flag, list pflag.SliceValue, texts []string) error {
	if slices.Contains(paths, f.Name) {
		for i, t := range texts {
			whole, ok := wholePath(t)
			if !ok || whole == "" {
				return errors.New("want " + wholePaths)
			}
			texts[i] = whole
		}
	}
	return list.Replace(texts)
}

// set gives a flag a value of the file, which has to be of its type.
func (f File) set(flag *pflag.Flag, v any) error {
	if list, ok := flag.Value.(pflag.SliceValue); ok {
		texts, err := textsOf(v)
		switch {
		case err != nil:
			return f.wants(flag.Name, v, `a list, such as ["one", "two"]`)
		case setList(flag, list, texts) != nil:
			return f.wants(flag.Name, v, wholePaths)
		}
		return nil
	}
	var want string
	var good bool
	switch flag.Value.Type() {
	case "bool":
		want = "true or false"
		_, good = v.(bool)
	case "int", "int64":
		want = "a number"
		_, good = v.(int64)
	case "duration":
		want = `a time in quotes, such as "5m"`
		_, good = v.(string)
	default:
		want = "a text in quotes"
		_, good = v.(string)
	}
	if good {
		good = setText(flag, fmt.Sprint(v)) == nil
		if !good && slices.Contains(paths, flag.Name) {
			want = wholePaths
		}
	}
	if !good {
		return f.wants(flag.Name, v, want)
	}
	return nil
}

func textsOf(v any) ([]string, error) {
	list, ok := v.([]any)
	if !ok {
		return nil, errors.New("no list")
	}
	texts := make([]string, 0, len(list))
	for _, e := range list {
		s, ok := e.(string)
		if !ok {
			return nil, fmt.Errorf("%v is no text", e)
		}
		texts = append(texts, s)
	}
	return texts, nil
}

// unknown refuses a key, and says which one may have been meant.
func (f File) unknown(key string, set *pflag.FlagSet) error {
	best, near := "", 3 // letters that may be wrong
	set.VisitAll(func(flag *pflag.Flag) {
		if d := distance(key, flag.Name); !flag.Hidden && d < near {
			best, near = flag.Name, d
		}
		if strings.TrimSuffix(strings.ReplaceAll(key, "_", "-"), "s") == flag.Name {
			best, near = flag.Name, 0
		}
	})
	hint := "ringmaster config print shows all settings; they are named as the flags of ringmaster serve"
	if best != "" {
		hint = "did you mean " + best + "? " + hint
	}
	return &Problem{"configuration file " + f.Path, fmt.Sprintf("there is no setting %q", key), hint}
}

// distance is how many letters have to be changed, added or removed.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := before
			if a[i] != b[j] {
				cost = 1 + min(before, row[j], row[j+1])
			}
			before, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}

// Written is a setting as it stands in a configuration file.
func Written(f *pflag.Flag) string {
	if list, ok := f.Value.(pflag.SliceValue); ok {
		texts := list.GetSlice()
		quoted := make([]string, 0, len(texts))
		for _, t := range texts {
			quoted = append(quoted, quote(t))
		}
		return "[" + strings.Join(quoted, ", ") + "]"
	}
	switch f.Value.Type() {
	case "bool", "int", "int64":
		return f.Value.String()
	}
	return quote(f.Value.String())
}

// quote writes a basic string of TOML.
func quote(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
