package api

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// link asks for a code as a holder of a token.
func (h *harness) link(bearer string) resource.LoginCode {
	h.t.Helper()
	var code resource.LoginCode
	r := h.want(http.StatusCreated, "POST", "/logins", "", "Authorization", bearer)
	r.into(h.t, &code)
	if code.Path != "/#login="+code.Code || r.Header.Get("Cache-Control") != "no-store" {
		h.t.Errorf("%+v, %v", code, r.Header)
	}
	return code
}

// open trades a code, without any token.
func (h *harness) open(code resource.LoginCode) (page resource.CreatedToken) {
	h.t.Helper()
	h.want(http.StatusCreated, "POST", "/login", `{"code":"`+code.Code+`","name":"Firefox on Linux"}`, "Authorization", "").into(h.t, &page)
	return page
}

// TestLoginByLink: a code is traded once for a token that may do what the asker's may, for as long as the asker's is valid; the page ends its own.
//
// Proves: I13.9/link
func TestLoginByLink(t *testing.T) {
	now := time.Now()
	h := newHarness(t, func(c *Config) { c.Now = func() time.Time { return now } })
	tokens := h.api.cfg.Tokens
	bearers := holders(t, tokens, "s")
	made, secret, err := tokens.Create(access.Token{Name: "n", Scope: access.OwnerRead, Owner: "ann"})
	if err != nil {
		t.Fatal(err)
	}
	mine, foreign := h.owned("ann", ""), h.owned("bob", "")

	code := h.link("Bearer " + secret)
	if left := code.ExpiresAt.Sub(now); left < time.Minute-time.Second || left > time.Minute {
		t.Errorf("good for %v", left)
	}
	page := h.open(code)
	bearer := "Bearer " + page.Token
	if page.Scope != string(access.OwnerRead) || page.Owner != "ann" || page.AskedBy != made.ID || page.Name != "Firefox on Linux" || page.ExpiresAt == nil {
		t.Errorf("%+v", page)
	}
	h.refused(http.StatusNotFound, protocol.CodeNotFound, "POST", "/login", `{"code":"`+code.Code+`","name":"n"}`, "Authorization", "")
	h.want(http.StatusOK, "GET", "/sessions/"+mine, "", "Authorization", bearer)
	h.refused(http.StatusNotFound, protocol.CodeSessionNotFound, "GET", "/sessions/"+foreign, "", "Authorization", bearer)
	h.refused(http.StatusForbidden, protocol.CodeForbidden, "POST", "/sessions", bodies["POST /sessions"], "Authorization", bearer)
	h.refused(http.StatusForbidden, protocol.CodeForbidden, "POST", "/logins", "", "Authorization", bearer)
	if r := h.ask(bearers["admin"], "GET", "/tokens", ""); !strings.Contains(string(r.body), `"askedBy":"`+made.ID+`"`) || strings.Contains(string(r.body), page.Token) {
		t.Errorf("%s", r.body)
	}

	// A code that waits, a page and its stream go with the token.
	waits := h.link("Bearer " + secret)
	st := h.stream(mine, "", "Authorization", bearer)
	defer st.close()
	st.untilSeq(1)
	h.want(http.StatusNoContent, "DELETE", "/tokens/"+made.ID, "")
	st.rest()
	h.refused(http.StatusUnauthorized, protocol.CodeUnauthorized, "GET", "/sessions", "", "Authorization", bearer)
	h.refused(http.StatusNotFound, protocol.CodeNotFound, "POST", "/login", `{"code":"`+waits.Code+`","name":"n"}`, "Authorization", "")

	// A page of the admin's makes no token that would outlive it, and logs itself out.
	page = h.open(h.link(bearers["root"]))
	bearer = "Bearer " + page.Token
	h.want(http.StatusOK, "GET", "/tokens", "", "Authorization", bearer)
	h.refused(http.StatusForbidden, protocol.CodeForbidden, "POST", "/tokens", bodies["POST /tokens"], "Authorization", bearer)
	h.want(http.StatusNoContent, "DELETE", "/login", "", "Authorization", bearer)
	h.refused(http.StatusUnauthorized, protocol.CodeUnauthorized, "GET", "/sessions", "", "Authorization", bearer)
	h.refused(http.StatusBadRequest, protocol.CodeInvalidRequest, "DELETE", "/login", "", "Authorization", bearers["admin"])
	h.want(http.StatusOK, "GET", "/sessions", "", "Authorization", bearers["admin"])

	// A page may be revoked like any token.
	page = h.open(h.link(bearers["owner"]))
	h.want(http.StatusNoContent, "DELETE", "/tokens/"+page.ID, "")
	h.refused(http.StatusUnauthorized, protocol.CodeUnauthorized, "GET", "/sessions", "", "Authorization", "Bearer "+page.Token)

	code = h.link(bearers["owner"])
	for body, status := range map[string]int{
		`{"code":"` + code.Code + `"}`: 422, `{"code":"` + code.Code + `","name":""}`: 422, `{"code":"` + code.Code + `","name":"\u0007"}`: 400,
		`{"name":"n"}`: 422, `{"code":"` + strings.Repeat("x", 65) + `","name":"n"}`: 422,
	} {
		h.refused(status, protocol.CodeInvalidRequest, "POST", "/login", body, "Authorization", "")
	}
	h.refused(http.StatusRequestEntityTooLarge, protocol.CodeTooLarge, "POST", "/login", `{"code":"`+strings.Repeat("x", 1<<10)+`","name":"n"}`, "Authorization", "")
	h.open(code) // which none of these has used up
	code = h.link(bearers["owner"])
	now = now.Add(time.Minute)
	h.refused(http.StatusNotFound, protocol.CodeNotFound, "POST", "/login", `{"code":"`+code.Code+`","name":"n"}`, "Authorization", "")
}

// TestLoginsAreCounted: four links of a token wait at once, and a page that guesses is refused without keeping out one that does not.
func TestLoginsAreCounted(t *testing.T) {
	h := newHarness(t)
	bearers := holders(t, h.api.cfg.Tokens, "s")
	var code resource.LoginCode
	for range 4 {
		code = h.link(bearers["owner"])
	}
	h.refused(http.StatusTooManyRequests, protocol.CodeRateLimited, "POST", "/logins", "", "Authorization", bearers["owner"])
	counts := map[int]int{}
	for range 20 {
		counts[h.do("POST", "/login", `{"code":"wrong","name":"n"}`, "Authorization", "").StatusCode]++
	}
	if counts[http.StatusNotFound] != 10 || counts[http.StatusTooManyRequests] != 10 {
		t.Errorf("wrong codes: %v", counts)
	}
	h.open(code)
	h.open(h.link(bearers["root"]))
}

// TestLoginsAreTold: the audit has a line for each code and each page that was let in, in the name of the token that asked; nothing that is logged has a
// code or a token, and what is refused of strangers has no line.
//
// Proves: I13.9/told
func TestLoginsAreTold(t *testing.T) {
	core, logs := observer.New(zap.DebugLevel)
	var written strings.Builder
	text := zapcore.NewCore(zapcore.NewJSONEncoder(zap.NewProductionEncoderConfig()), zapcore.Lock(zapcore.AddSync(&written)), zap.DebugLevel)
	h := newHarness(t, func(c *Config) { c.Log = zap.New(zapcore.NewTee(core, text)) })
	made, secret, err := h.api.cfg.Tokens.Create(access.Token{Name: "n", Scope: access.OwnerRead, Owner: "ann"})
	if err != nil {
		t.Fatal(err)
	}
	audit := lines{logs}
	one := func(operation, principal string) map[string]any {
		t.Helper()
		got := audit.take()
		if len(got) != 1 || got[0]["operation"] != operation || got[0]["principal"] != principal || got[0]["outcome"] != "ok" {
			t.Errorf("%s: %v", operation, got)
			return nil
		}
		return got[0]
	}
	code := h.link("Bearer " + secret)
	one("askLogin", made.ID)
	page := h.open(code)
	if line := one("login", made.ID); line["token"] != page.ID {
		t.Errorf("%v", line)
	}
	h.do("POST", "/login", `{"code":"`+code.Code+`","name":"n"}`, "Authorization", "")
	h.do("POST", "/login", `{}`, "Authorization", "")
	if got := audit.take(); len(got) != 0 {
		t.Errorf("strangers have lines: %v", got)
	}
	h.want(http.StatusNoContent, "DELETE", "/login", "", "Authorization", "Bearer "+page.Token)
	if line := one("endLogin", page.ID); line["token"] != page.ID {
		t.Errorf("%v", line)
	}
	if log := written.String(); !strings.Contains(log, `"operation":"login"`) || strings.Contains(log, code.Code) || strings.Contains(log, page.Token) || strings.Contains(log, "Firefox") {
		t.Errorf("the log says: %s", log)
	}
}
