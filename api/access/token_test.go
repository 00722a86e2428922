package access

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

func open(t *testing.T, path string) *Tokens {
	t.Helper()
	k, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func (t *Tokens) create(test *testing.T, want Token) (Token, string) {
	test.Helper()
	made, secret, err := t.Create(want)
	if err != nil {
		test.Fatal(err)
	}
	return made, secret
}

func code(err error) protocol.Code {
	var p *protocol.Problem
	if errors.As(err, &p) {
		return p.Code
	}
	return ""
}

var wanted = []Token{
	{Name: "all", Scope: Admin},
	{Name: "all, reading", Scope: AdminRead},
	{Name: "hers", Scope: Owner, Owner: "ann@example.org"},
	{Name: "hers, reading", Scope: OwnerRead, Owner: "ann@example.org"},
}

// TestTokensAreKept over a restart, in a file of the owner's alone that has no secret in it.
func TestTokensAreKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tokens.json")
	k := open(t, path)
	secrets := map[string]Token{}
	for _, w := range wanted {
		made, secret := k.create(t, w)
		if !strings.HasPrefix(secret, Prefix+made.ID+"_") || len(secret) != len(Prefix)+12+1+43 { // 256 bits in base64
			t.Errorf("secret %q of %s", secret, made.ID)
		}
		secrets[secret] = made
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, store := range []*Tokens{k, open(t, path)} {
		if got := len(store.List()); got != len(wanted) {
			t.Errorf("%d tokens are listed", got)
		}
		for secret, want := range secrets {
			p := store.Find(secret)
			if p == nil || p.ID != want.ID || p.Name != want.Name || p.Scope != want.Scope || p.Owner != want.Owner || p.Session != "" || p.Revoked.Err() != nil {
				t.Errorf("%+v is found as %+v", want, p)
			}
			if strings.Contains(string(text), secret[len(Prefix)+13:]) {
				t.Error("a secret is in the file")
			}
		}
	}
	left, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(left) != 1 {
		t.Errorf("the folder holds %v, %v", left, err)
	}
}

// TestTokensOfNobody: what is not a secret to the last character is nobody's.
func TestTokensOfNobody(t *testing.T) {
	k := NewTokens()
	_, secret := k.create(t, wanted[0])
	_, other := k.create(t, wanted[1])
	id := secret[:len(Prefix)+13]
	for _, s := range []string{
		"", Prefix, id, secret[:len(secret)-1], secret + "A", " " + secret, strings.ToUpper(secret), strings.TrimPrefix(secret, Prefix),
		id + other[len(Prefix)+13:], Prefix + "_" + secret[len(Prefix)+13:],
	} {
		if p := k.Find(s); p != nil {
			t.Errorf("%q is %s's", s, p.ID)
		}
	}
	for i := range secret {
		b := []byte(secret)
		b[i] ^= 1
		if k.Find(string(b)) != nil {
			t.Errorf("a change of character %d goes unnoticed", i)
		}
	}
}

func TestTokensThatNobodyGets(t *testing.T) {
	k := NewTokens()
	for name, w := range map[string]Token{
		"no name": {Scope: Admin}, "long name": {Name: strings.Repeat("n", 129), Scope: Admin}, "name of two lines": {Name: "a\nb", Scope: Admin},
		"no scope": {Name: "n"}, "no such scope": {Name: "n", Scope: "root"}, "an agent's": {Name: "n", Scope: Agent, Owner: "ann"},
		"no owner": {Name: "n", Scope: Owner}, "odd owner": {Name: "n", Scope: OwnerRead, Owner: "a b"},
		"an owner of everything": {Name: "n", Scope: Admin, Owner: "ann"}, "expired": {Name: "n", Scope: Admin, Expires: time.Now().Add(-time.Second)},
	} {
		if _, secret, err := k.Create(w); code(err) != protocol.CodeInvalidRequest || secret != "" {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got := k.List(); len(got) != 0 {
		t.Errorf("%+v", got)
	}
}

// TestTokensExpireAsleep: what counts is the clock. Timers stand still while a machine sleeps.
func TestTokensExpireAsleep(t *testing.T) {
	k := NewTokens()
	now := time.Now()
	k.now = func() time.Time { return now }
	_, secret := k.create(t, Token{Name: "short", Scope: Admin, Expires: now.Add(time.Hour)})
	now = now.Add(time.Hour - 1)
	p := k.Find(secret)
	if p == nil {
		t.Fatal("it is not over yet")
	}
	now = now.Add(1)
	if k.Find(secret) != nil || p.Revoked.Err() == nil {
		t.Error("it is valid, or what hangs on it goes on")
	}
}

// TestTokensExpire by themselves, and what hangs on them ends then.
func TestTokensExpire(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tokens.json")
	synctest.Test(t, func(t *testing.T) {
		k := open(t, path)
		made, secret := k.create(t, Token{Name: "short", Scope: Admin, Expires: time.Now().Add(time.Hour)})
		_, stays := k.create(t, Token{Name: "long", Scope: Admin})
		p := k.Find(secret)
		start := time.Now()
		<-p.Revoked.Done()
		if took := time.Since(start); took != time.Hour {
			t.Errorf("void after %v", took)
		}
		if k.Find(secret) != nil || len(k.List()) != 1 || code(k.Revoke("other")) != protocol.CodeNotFound {
			t.Error("it is still there")
		}
		again := open(t, path)
		if again.Find(secret) != nil || again.Find(stays) == nil {
			t.Error("a restart changes what is valid")
		}
		k.create(t, Token{Name: "next", Scope: Admin}) // drops what has expired
		if text, err := os.ReadFile(path); err != nil || strings.Contains(string(text), made.ID) {
			t.Errorf("the file keeps what has expired: %s, %v", text, err)
		}
		for _, x := range k.List() { // their contexts end here
			if err := k.Revoke(x.ID); err != nil {
				t.Error(err)
			}
		}
	})
}

func TestRevoke(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tokens.json")
	k := open(t, path)
	made, secret := k.create(t, wanted[0])
	_, stays := k.create(t, wanted[1])
	p := k.Find(secret)
	if err := k.Revoke(made.ID); err != nil {
		t.Fatal(err)
	}
	for name, store := range map[string]*Tokens{"at once": k, "after a restart": open(t, path)} {
		if store.Find(secret) != nil || store.Find(stays) == nil || len(store.List()) != 1 {
			t.Errorf("%s: the wrong one is gone", name)
		}
	}
	if p.Revoked.Err() == nil {
		t.Error("what hangs on it goes on")
	}
	for _, id := range []string{made.ID, "", "nobody"} {
		if err := k.Revoke(id); code(err) != protocol.CodeNotFound {
			t.Errorf("%q: %v", id, err)
		}
	}
}

// TestRevokeWithoutADisk: the token is void all the same, the error says that it would come back, and a second call mends it.
func TestRevokeWithoutADisk(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	path := filepath.Join(dir, "tokens.json")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	k := open(t, path)
	made, secret := k.create(t, wanted[0])
	away := dir + ".away"
	if err := os.Rename(dir, away); err != nil {
		t.Fatal(err)
	}
	if err := k.Revoke(made.ID); err == nil || k.Find(secret) != nil {
		t.Errorf("revoked with %v, found as %+v", err, k.Find(secret))
	}
	if _, _, err := k.Create(wanted[1]); err == nil || len(k.List()) != 0 {
		t.Errorf("made with %v: %+v", err, k.List())
	}
	if err := os.Rename(away, dir); err != nil {
		t.Fatal(err)
	}
	if open(t, path).Find(secret) == nil {
		t.Error("the file was written after all: the test tests nothing")
	}
	if err := k.Revoke(made.ID); err != nil || open(t, path).Find(secret) != nil {
		t.Errorf("the second call: %v", err)
	}
}

func TestTokensAreBounded(t *testing.T) {
	k := NewTokens()
	var first Token
	for i := range MaxTokens {
		made, _ := k.create(t, wanted[0])
		if i == 0 {
			first = made
		}
	}
	if _, _, err := k.Create(wanted[0]); code(err) != protocol.CodeOverloaded {
		t.Errorf("one more: %v", err)
	}
	_, revoke := k.Grant("s", "") // agents are counted by what they are for
	revoke()
	if err := k.Revoke(first.ID); err != nil {
		t.Fatal(err)
	}
	k.create(t, wanted[0])
}

// TestGrant: an agent's token is valid until it is revoked, is no token of people, and is nowhere on the disk.
func TestGrant(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tokens.json")
	k := open(t, path)
	secret, revoke := k.Grant("session", "ann")
	other, revokeOther := k.Grant("session", "ann")
	defer revokeOther()
	p := k.Find(secret)
	if p == nil || p.Scope != Agent || p.Session != "session" || p.Owner != "ann" || p.ID == k.Find(other).ID {
		t.Fatalf("%+v", p)
	}
	if len(k.List()) != 0 || code(k.Revoke(p.ID)) != protocol.CodeNotFound {
		t.Error("people see it")
	}
	k.create(t, wanted[0])
	if text, err := os.ReadFile(path); err != nil || strings.Contains(string(text), p.ID) {
		t.Errorf("%s, %v", text, err)
	}
	revoke()
	revoke()
	if k.Find(secret) != nil || p.Revoked.Err() == nil || k.Find(other) == nil {
		t.Error("the wrong one is void")
	}
}

// TestBadTokensFiles are refused: who may do what must not be guessed.
func TestBadTokensFiles(t *testing.T) {
	const sum = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
	line := `{"id":"a","name":"n","scope":"admin","sha256":"` + sum + `","created":"2026-01-01T00:00:00Z"}`
	path := filepath.Join(t.TempDir(), "tokens.json")
	write := func(text string, mode fs.FileMode) {
		t.Helper()
		_ = os.Remove(path)
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range map[string]string{
		"empty": "", "torn": `{"version":1,"tokens":[`, "of a later version": `{"version":2,"tokens":[]}`,
		"no hash":         `{"version":1,"tokens":[` + strings.Replace(line, sum, "00", 1) + `]}`,
		"no id":           `{"version":1,"tokens":[` + strings.Replace(line, `"a"`, `""`, 1) + `]}`,
		"no such scope":   `{"version":1,"tokens":[` + strings.Replace(line, `admin`, `agent`, 1) + `]}`,
		"nobody's":        `{"version":1,"tokens":[` + strings.Replace(line, `admin`, `owner`, 1) + `]}`,
		"two of one id":   `{"version":1,"tokens":[` + line + `,` + line + `]}`,
		"longer than any": strings.Repeat(" ", maxTokensFile+1),
	} {
		write(text, 0o600)
		if _, err := Open(path); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", name, err)
		}
	}
	good := `{"version":1,"tokens":[` + line + `]}`
	write(good, 0o600)
	if got := open(t, path).List(); len(got) != 1 {
		t.Errorf("the good one has %v", got)
	}
	write(good, 0o644)
	if _, err := Open(path); err == nil || !strings.Contains(err.Error(), "chmod 0600") {
		t.Errorf("for everybody: %v", err)
	}
}

// TestTokensOnAFullDisk: what cannot be kept is refused as read_only, and not made; a token that was to be revoked is, for as long as this daemon runs.
func TestTokensOnAFullDisk(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tokens")
	k := open(t, path)
	made, secret := k.create(t, Token{Name: "a", Scope: Admin})
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("no disk is full here: ", err)
	}
	full := func() {
		_ = os.Remove(path + ".new")
		if err := os.Symlink("/dev/full", path+".new"); err != nil {
			t.Fatal(err)
		}
	}
	full()
	if _, _, err := k.Create(Token{Name: "b", Scope: Admin}); code(err) != protocol.CodeReadOnly || !strings.Contains(err.Error(), "no space left") || strings.Contains(err.Error(), path) {
		t.Errorf("created: %v", err)
	}
	if n := len(k.List()); n != 1 {
		t.Errorf("%d tokens", n)
	}
	full()
	if err := k.Revoke(made.ID); code(err) != protocol.CodeReadOnly || !strings.Contains(err.Error(), "as long as this daemon runs") {
		t.Errorf("revoked: %v", err)
	}
	if k.Find(secret) != nil {
		t.Error("the token is good")
	}
	if err := k.Revoke(made.ID); err != nil {
		t.Errorf("once there is room: %v", err)
	}
	if again := open(t, path); len(again.List()) != 0 {
		t.Error("it came back")
	}
}

// TestTidy: what a daemon that was killed while it wrote its tokens has left beside them goes with the next one, and the tokens stay.
func TestTidy(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tokens.json")
	k := open(t, path)
	made, _ := k.create(t, wanted[0])
	if err := os.WriteFile(path+".new", []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	next := open(t, path)
	next.Tidy()
	left, err := filepath.Glob(path + "*")
	if err != nil || len(left) != 1 || len(next.List()) != 1 || next.List()[0].ID != made.ID {
		t.Errorf("left %v, %v; tokens %v", left, err, next.List())
	}
}
