package command

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// A policy answers in the name of whoever set it.
func TestRunUnderAPolicy(t *testing.T) {
	for _, c := range []struct {
		flags []string
		said  string
	}{
		{[]string{"--policy", "allow_all"}, "I was allowed"},
		{[]string{"--policy", "deny_all", "--rule", "allow:bash"}, "I was allowed"},
		{[]string{"--policy", "allow_all", "--rule", "ask:nothing*", "--rule", "deny:bash"}, "I was denied"},
		{[]string{"--deadline", "1s", "--default", "allow"}, "I was allowed"},
		{[]string{"--deadline", "1s"}, "I was denied"},
	} {
		b := newBench(t).daemon()
		b.stdin = script(approval)
		r := b.run(append([]string{"run", "--agent", "scripted", "--cwd", b.root, "-"}, c.flags...))
		r.want(t, exitOK, "by policy", "● "+c.said)
	}
}

func TestSetAPolicy(t *testing.T) {
	b := newBench(t).daemon()
	b.run([]string{"new", "--agent", "scripted", "--cwd", b.root}).want(t, exitOK)
	b.run([]string{"policy", "@last"}).want(t, exitOK, "mode  ask")
	b.run([]string{"policy", "@last", "--mode", "allow_reads", "--rule", "allow:execute:go test *", "--rule", "deny_stop:edit:.git/**", "--deadline", "10m"}).
		want(t, exitOK, `rules     allow  tool execute  pattern "go test *"`, `deny_stop  tool edit  pattern ".git/**"`, "mode      allow_reads", "10m0s, then deny")
	file := filepath.Join(b.root, "policy.json")
	r := b.run([]string{"policy", "@last", "--json"})
	r.want(t, exitOK, `"allow_reads"`)
	if err := os.WriteFile(file, []byte(r.out), 0o600); err != nil {
		t.Fatal(err)
	}
	b.run([]string{"show", "@last"}).want(t, exitOK, "policy", "mode allow_reads")
	b.run([]string{"policy", "@last", "--reset"}).want(t, exitOK, "mode  ask")
	b.run([]string{"policy", "@last", "--file", file, "--default", "allow"}).want(t, exitOK, "10m0s, then allow", `pattern ".git/**"`)
	b.run([]string{"policy", "@last", "--mode", "deny_all"}).want(t, exitOK, "mode  deny_all")
	for _, wrong := range [][]string{
		{"--mode", "yolo"}, {"--rule", "maybe"}, {"--default", "deny"}, {"--deadline", "1ms"}, {"--reset", "--mode", "ask"}, {"--file", "/nowhere"},
	} {
		b.run(append([]string{"policy", "@last"}, wrong...)).want(t, exitUsage)
	}
}

func TestParseRule(t *testing.T) {
	for text, want := range map[string]protocol.PolicyRule{
		"allow":                             {Action: protocol.PolicyAllow},
		"ask:execute":                       {Action: protocol.PolicyLeave, Tool: "execute"},
		"deny::**/.env":                     {Action: protocol.PolicyDeny, Pattern: "**/.env"},
		"allow:fetch:https://go.dev/**":     {Action: protocol.PolicyAllow, Tool: "fetch", Pattern: "https://go.dev/**"},
		"deny_stop:execute:git push *:main": {Action: protocol.PolicyDenyStop, Tool: "execute", Pattern: "git push *:main"},
	} {
		if got := parseRule(text); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v", text, got)
		}
	}
}

func TestPromptsOfTheQueue(t *testing.T) {
	b := newBench(t).daemon()
	b.stdin = script(`[{"say": {"text": "I begin"}}, {"stall": {}}]`)
	moved := make(chan struct{})
	r := b.run([]string{"run", "--agent", "scripted", "--cwd", b.root, "--json", "-"}, &watch{text: `"state":"responding"`, do: func(c chan<- os.Signal) {
		defer close(moved)
		for _, text := range []string{"two", "three", "four"} {
			b.run([]string{"send", "@last", text}).want(t, exitOK)
		}
		b.run([]string{"prompts", "move", "@last", "p4", "--before", "p2"}).want(t, exitOK, "p4 is number 1 of the queue")
		b.run([]string{"prompts", "move", "@last", "p2", "--last"}).want(t, exitOK, "p2 is number 3 of the queue")
		b.run([]string{"prompts", "move", "@last", "p2", "--position", "2"}).want(t, exitOK, "p2 is number 2 of the queue")
		b.run([]string{"prompts", "move", "@last", "p2"}).want(t, exitUsage, "want one of")
		b.run([]string{"prompts", "move", "@last", "p9", "--last"}).want(t, exitFailed, "prompt_not_found")
		b.run([]string{"prompts", "cancel", "@last", "p3"}).want(t, exitOK, "p3 cancelled")
		b.run([]string{"prompts", "@last"}).want(t, exitOK, "p4  ", "p2  ")
		b.run([]string{"prompts", "cancel", "@last", "p4"}).want(t, exitOK)
		b.run([]string{"prompts", "cancel", "@last", "p2"}).want(t, exitOK)
		c <- os.Interrupt
	}})
	receive(b, moved, "the end of the moves")
	r.want(t, exitInterrupted, `"type":"prompt_moved","promptId":"p4","before":"p2"`)
}

func TestChooseAModel(t *testing.T) {
	b := newBench(t).daemon()
	b.stdin = script(`[{"say": {"text": "hi"}}]`) // an agent that has had a turn has said before what it offers
	b.run([]string{"run", "--agent", "scripted", "--cwd", b.root, "-"}).want(t, exitOK)
	b.run([]string{"model", "@last"}).want(t, exitOK, "scripted/scripted-1  in force", "Scripted Two")
	b.run([]string{"model", "@last", "scripted/scripted-2"}).want(t, exitOK, "model scripted/scripted-2: in force now")
	b.run([]string{"model", "@last"}).want(t, exitOK, "scripted/scripted-2  in force")
	b.run([]string{"model", "@last", "scripted/none"}).want(t, exitFailed, "invalid_request", "It offers: scripted/scripted-1")
	b.run([]string{"mode", "@last"}).want(t, exitOK, "what else there is, is not known")
}
