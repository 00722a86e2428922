package topic

import (
	"strconv"
	"strings"
	"time"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/desk"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/keys"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// nodes are the daemons on the same Core, as they stood when they were read last: when the page was opened, when the list of sessions changed, and when
// somebody wanted it.
type nodes struct {
	list    []resource.NodeInfo
	known   bool
	missing string // why they are not known; empty: they are
	reading bool
	stale   bool // something has changed while they were being read
}

// Nodes are the daemons on the same Core. It is about no session.
func Nodes() Topic { return &nodes{} }

func (n *nodes) Title() string { return "nodes" }

func (n *nodes) Read() []desk.Wish {
	if n.reading {
		n.stale = true
		return nil
	}
	n.reading, n.stale = true, false
	return []desk.Wish{desk.ListNodes{}}
}

func (n *nodes) Take(news desk.News) []desk.Wish {
	switch news := news.(type) {
	case desk.Nodes:
		n.have(news)
		if n.stale {
			return n.Read()
		}
	case desk.Listed:
		return n.Read()
	case desk.Done:
		if _, is := news.Wish.(desk.ListNodes); is { // it was not even tried
			n.have(desk.Nodes{Err: news.Err})
		}
	default:
	}
	return nil
}

func (n *nodes) have(news desk.Nodes) {
	n.reading, n.missing = false, news.Err
	if news.Err == "" {
		n.list, n.known = news.List, true
	}
}

func (n *nodes) Rows() (list []Row, none string) {
	for i := range n.list {
		list = append(list, nodeRow(&n.list[i]))
	}
	switch {
	case n.missing != "":
		none = "not known: " + n.missing
	case !n.known:
		none = "reading which nodes there are…"
	default:
		none = "this daemon has no Core, and knows of no other"
	}
	return list, none
}

// nodeRow shows how a node stands.
func nodeRow(n *resource.NodeInfo) Row {
	parts := []string{short(n.ID) + "  " + string(n.State)}
	if n.Here {
		parts[0] += ", this one"
	}
	count := strconv.Itoa(n.Sessions) + " sessions"
	if n.Sessions == 1 {
		count = "1 session"
	}
	parts = append(parts, count)
	for _, w := range n.Workspaces {
		name, _, _ := strings.Cut(w, "=")
		parts = append(parts, name)
	}
	if n.Build != "" {
		parts = append(parts, n.Build)
	}
	row := Row{ID: n.ID, Text: strings.Join(parts, " · ")}
	switch lasts := func(ms int64) string { return (time.Duration(ms) * time.Millisecond).Round(time.Second).String() }; {
	case n.SilentMs > 0:
		row.Mark = "silent for " + lasts(n.SilentMs)
	case n.Leaving > 0:
		row.Mark = strconv.Itoa(n.Leaving) + " to go"
	case n.LeaseMs > 0:
		row.Mark = "lease " + lasts(n.LeaseMs)
	}
	return row
}

func (n *nodes) Notes() []string {
	if n.missing != "" && len(n.list) > 0 {
		return []string{"not current: " + n.missing}
	}
	return nil
}

func (n *nodes) Keys() string { return "? keys  Esc back  Enter reads them again  / filter  q quit" }

func (n *nodes) Key(k keys.Key, _ *Row, _ *Touch) []desk.Wish {
	if k.Is("enter") {
		return n.Read()
	}
	return nil
}
