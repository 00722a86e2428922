package native

import "testing"

// TestTold: only what is known and new is news.
func TestTold(t *testing.T) {
	told := Told{Session: "s", Model: "m"}
	if _, ok := told.Take(Told{Session: "s"}); ok {
		t.Error("what was told is news")
	}
	news, ok := told.Take(Told{Model: "n", Title: "t"})
	if !ok || news.NativeSessionID != nil || news.Mode != nil || *news.Model != "n" || *news.Title != "t" {
		t.Errorf("%+v, %t", news, ok)
	}
	if r := told.Ready("1"); r.NativeSessionID != "s" || r.Model != "n" || r.Mode != "" || r.Version != "1" {
		t.Errorf("%+v", r)
	}
}
