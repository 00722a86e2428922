package access

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

func (t *Tokens) login(test *testing.T, by *Principal) (Token, string) {
	test.Helper()
	made, secret, err := t.Login(by, "Firefox on Linux")
	if err != nil {
		test.Fatal(err)
	}
	return made, secret
}

// TestLogins: a login may do what the token may that asked for it, over a restart too, and is void with it.
//
// Proves: I13.9/logins
func TestLogins(t *testing.T) {
	for _, want := range append([]Token{{}}, wanted...) {
		t.Run("of "+string(want.Scope), func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "tokens.json")
			k := open(t, path)
			by, id := Peer, Root.ID
			if want.Scope != "" {
				made, secret := k.create(t, want)
				by, id = k.Find(secret), made.ID
			}
			made, secret := k.login(t, by)
			if made.AskedBy != id || made.Scope != by.Scope || made.Owner != by.Owner || made.Expires.Sub(made.Created) != LoginLife {
				t.Errorf("%+v", made)
			}
			text, err := os.ReadFile(path)
			if err != nil || strings.Contains(string(text), secret[len(Prefix)+13:]) {
				t.Errorf("a secret is in the file, or: %v", err)
			}
			again := open(t, path)
			var found []*Principal
			for _, store := range []*Tokens{k, again} {
				p := store.Find(secret)
				if p == nil || p.ID != made.ID || p.Scope != by.Scope || p.Owner != by.Owner || p.AskedBy != id || p.Name != made.Name {
					t.Fatalf("found as %+v", p)
				}
				found = append(found, p)
				if list := store.List(); !slices.Contains(list, made) {
					t.Errorf("listed as %+v", list)
				}
			}
			if id == Root.ID { // which cannot be revoked
				id = made.ID
			}
			for i, store := range []*Tokens{k, again} {
				if err := store.Revoke(id); err != nil {
					t.Fatal(err)
				}
				if store.Find(secret) != nil || found[i].Revoked.Err() == nil || len(store.List()) != 0 {
					t.Error("it outlives its token")
				}
			}
			if open(t, path).Find(secret) != nil {
				t.Error("it comes back")
			}
		})
	}
}

// TestLoginsEnd after 30 days, or with their token where that is sooner.
//
// Proves: I13.9/logins
func TestLoginsEnd(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tokens.json")
	synctest.Test(t, func(t *testing.T) {
		k := open(t, path)
		_, ofHour := k.create(t, Token{Name: "hour", Scope: Admin, Expires: time.Now().Add(time.Hour)})
		_, ofYear := k.create(t, Token{Name: "year", Scope: Admin, Expires: time.Now().Add(365 * 24 * time.Hour)})
		short, secret := k.login(t, k.Find(ofHour))
		p := k.Find(secret)
		start := time.Now()
		<-p.Revoked.Done()
		if took := time.Since(start); took != time.Hour || k.Find(secret) != nil || !short.Expires.Equal(start.Add(time.Hour)) {
			t.Errorf("void after %v", took)
		}
		_, secret = k.login(t, k.Find(ofYear))
		p = k.Find(secret)
		start = time.Now()
		<-p.Revoked.Done()
		if took := time.Since(start); took != LoginLife || open(t, path).Find(secret) != nil || k.Find(ofYear) == nil {
			t.Errorf("void after %v", took)
		}
		for _, x := range k.List() { // their contexts end here
			if err := k.Revoke(x.ID); err != nil {
				t.Error(err)
			}
		}
	})
}

// TestLoginsThatNobodyGets: an agent, a page, a token that is void.
func TestLoginsThatNobodyGets(t *testing.T) {
	k := NewTokens()
	agents, revoke := k.Grant("s", "ann")
	defer revoke()
	_, pages := k.login(t, Root)
	made, secret := k.create(t, wanted[0])
	void := k.Find(secret)
	if err := k.Revoke(made.ID); err != nil {
		t.Fatal(err)
	}
	for name, row := range map[string]struct {
		by   *Principal
		want protocol.Code
	}{
		"an agent": {k.Find(agents), protocol.CodeForbidden}, "a page": {k.Find(pages), protocol.CodeForbidden}, "a void token": {void, protocol.CodeNotFound},
		"nobody": {nil, ""},
	} {
		if _, secret, err := k.Login(row.by, "n"); err == nil || code(err) != row.want || secret != "" {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range []string{"", "a\nb", strings.Repeat("n", 129)} {
		if _, _, err := k.Login(Root, name); code(err) != protocol.CodeInvalidRequest {
			t.Errorf("%q: %v", name, err)
		}
	}
	if n := len(k.List()); n != 1 {
		t.Errorf("%d tokens", n)
	}
	if err := MayMakeTokens(With(t.Context(), k.Find(pages))); code(err) != protocol.CodeForbidden {
		t.Errorf("a page makes tokens: %v", err)
	}
	if err := MayMakeTokens(With(t.Context(), Root)); err != nil {
		t.Error(err)
	}
}

// TestLoginsAreBounded: sixteen of a token, of which one more ends the oldest, and 1,024, beside the tokens that people make.
func TestLoginsAreBounded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tokens.json")
	k := open(t, path)
	now := time.Now()
	k.now = func() time.Time { now = now.Add(time.Second); return now }
	_, ann := k.create(t, Token{Name: "ann", Scope: Admin})
	_, bob := k.create(t, Token{Name: "bob", Scope: Admin})
	_, other := k.login(t, k.Find(bob))
	var secrets []string
	for range MaxLoginsEach + 3 {
		_, secret := k.login(t, k.Find(ann))
		secrets = append(secrets, secret)
	}
	for name, store := range map[string]*Tokens{"at once": k, "after a restart": open(t, path)} {
		for i, secret := range secrets {
			if valid := store.Find(secret) != nil; valid != (i >= 3) {
				t.Errorf("%s: login %d of %d is valid: %v", name, i+1, len(secrets), valid)
			}
		}
		if store.Find(other) == nil {
			t.Errorf("%s: one of another token has ended for it", name)
		}
	}

	k = NewTokens()
	_, ann = k.create(t, wanted[0])
	k.login(t, k.Find(ann))
	var asker Token
	for k.count((*held).login) < MaxLogins {
		made, secret := k.create(t, wanted[0])
		asker = made
		for range MaxLoginsEach {
			if k.count((*held).login) < MaxLogins {
				k.login(t, k.Find(secret))
			}
		}
	}
	if _, _, err := k.Login(k.Find(ann), "n"); code(err) != protocol.CodeOverloaded || code(k.MayLogin(k.Find(ann))) != protocol.CodeOverloaded {
		t.Errorf("one more: %v", err)
	}
	if err := k.Revoke(asker.ID); err != nil { // its logins make room
		t.Fatal(err)
	}
	k.login(t, k.Find(ann))
	for range MaxTokens - k.count(func(h *held) bool { return !h.login() }) {
		k.create(t, wanted[0])
	}
	if _, _, err := k.Create(wanted[0]); code(err) != protocol.CodeOverloaded {
		t.Errorf("logins take the place of tokens, or tokens have no bound: %v", err)
	}
}

// TestLoginsInTheFile: one whose token is not there is void, and what is damaged is refused.
func TestLoginsInTheFile(t *testing.T) {
	const sum = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
	path := filepath.Join(t.TempDir(), "tokens.json")
	good := `{"id":"l","name":"n","askedBy":"a","sha256":"` + sum + `","created":"2999-01-01T00:00:00Z","expires":"2999-01-02T00:00:00Z"}`
	file := func(logins string) string {
		return `{"version":1,"tokens":[{"id":"a","name":"n","scope":"admin:ro","sha256":"` + sum + `","created":"2026-01-01T00:00:00Z"}],"logins":[` + logins + `]}`
	}
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, row := range map[string]struct {
		logins string
		want   int // logins
	}{
		"good":                           {good, 1},
		"of the daemon's own":            {strings.Replace(good, `"a"`, `"admin"`, 1), 1},
		"of a token that is gone":        {strings.Replace(good, `"a"`, `"b"`, 1), 0},
		"of nobody":                      {strings.Replace(good, `"a"`, `""`, 1), 0},
		"of another login":               {good + "," + strings.NewReplacer(`"l"`, `"m"`, `"a"`, `"l"`).Replace(good), 1},
		"over":                           {strings.NewReplacer("2999", "2001").Replace(good), 0},
		"with a scope that it says":      {strings.Replace(good, `"name"`, `"scope":"admin","name"`, 1), 1},
		"damaged: no hash":               {strings.Replace(good, sum, "00", 1), -1},
		"damaged: no id":                 {strings.Replace(good, `"l"`, `""`, 1), -1},
		"damaged: two of one id":         {good + "," + good, -1},
		"damaged: of a token's id":       {strings.Replace(good, `"l"`, `"a"`, 1), -1},
		"damaged: valid for a century":   {strings.Replace(good, "2999-01-02", "3099-01-02", 1), -1},
		"damaged: no name":               {strings.Replace(good, `"n"`, `""`, 1), -1},
		"damaged: a name of two lines":   {strings.Replace(good, `"n"`, `"a\nb"`, 1), -1},
		"damaged: no time of its making": {strings.Replace(good, `"created":"2999-01-01T00:00:00Z",`, "", 1), -1},
	} {
		write(file(row.logins))
		k, err := Open(path)
		if row.want < 0 {
			if err == nil || !strings.Contains(err.Error(), path) {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if err != nil || k.count((*held).login) != row.want {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, x := range k.List() {
			if x.AskedBy == "a" && x.Scope != AdminRead {
				t.Errorf("%s: it may do more than its token: %+v", name, x)
			}
		}
	}
}

// TestLoginsOnAFullDisk are refused, and not made.
func TestLoginsOnAFullDisk(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tokens")
	k := open(t, path)
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("no disk is full here: ", err)
	}
	if err := os.Symlink("/dev/full", path+".new"); err != nil {
		t.Fatal(err)
	}
	if _, secret, err := k.Login(Root, "n"); code(err) != protocol.CodeReadOnly || secret != "" || len(k.List()) != 0 {
		t.Errorf("%v, %v", err, k.List())
	}
	for range MaxLoginsEach {
		k.login(t, Root)
	}
	if err := os.Symlink("/dev/full", path+".new"); err != nil {
		t.Fatal(err)
	}
	if _, _, err := k.Login(Root, "n"); code(err) != protocol.CodeReadOnly || len(k.List()) != MaxLoginsEach {
		t.Errorf("%v: %d are left: one has ended for one that was not made", err, len(k.List()))
	}
}
