package command

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/exit"
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
		r.want(t, exit.OK, "by policy", "● "+c.said)
	}
}

func TestSetAPolicy(t *testing.T) {
	b := newBench(t).daemon()
	b.run([]string{"new", "--agent", "scripted", "--cwd", b.root}).want(t, exit.OK)
	b.run([]string{"policy", "@last"}).want(t, exit.OK, "mode  ask")
	b.run([]string{"policy", "@last", "--mode", "allow_reads", "--rule", "allow:execute:go test *", "--rule", "deny_stop:edit:.git/**", "--deadline", "10m"}).
		want(t, exit.OK, `rules     allow  tool execute  pattern "go test *"`, `deny_stop  tool edit  pattern ".git/**"`, "mode      allow_reads", "10m0s, then deny")
	file := filepath.Join(b.root, "policy.json")
	r := b.run([]string{"policy", "@last", "--json"})
	r.want(t, exit.OK, `"allow_reads"`)
	if err := os.WriteFile(file, []byte(r.out), 0o600); err != nil {
		t.Fatal(err)
	}
	b.run([]string{"show", "@last"}).want(t, exit.OK, "policy", "mode allow_reads")
	b.run([]string{"policy", "@last", "--reset"}).want(t, exit.OK, "mode  ask")
	b.run([]string{"policy", "@last", "--file", file, "--default", "allow"}).want(t, exit.OK, "10m0s, then allow", `pattern ".git/**"`)
	b.run([]string{"policy", "@last", "--mode", "deny_all"}).want(t, exit.OK, "mode  deny_all")
	for _, wrong := range [][]string{
		{"--mode", "yolo"}, {"--rule", "maybe"}, {"--default", "deny"}, {"--deadline", "1ms"}, {"--reset", "--mode", "ask"}, {"--file", "/nowhere"},
	} {
		b.run(append([]string{"policy", "@last"}, wrong...)).want(t, exit.Usage)
	}
}

func TestPromptsOfTheQueue(t *testing.T) {
	b := newBench(t).daemon()
	b.stdin = script(`[{"say": {"text": "I begin"}}, {"stall": {}}]`)
	moved := make(chan struct{})
	r := b.run([]string{"run", "--agent", "scripted", "--cwd", b.root, "--json", "-"}, &watch{text: `"state":"responding"`, do: func(c chan<- os.Signal) {
		defer close(moved)
		for _, text := range []string{"two", "three", "four"} {
			b.run([]string{"send", "@last", text}).want(t, exit.OK)
		}
		b.run([]string{"prompts", "move", "@last", "p4", "--before", "p2"}).want(t, exit.OK, "p4 is number 1 of the queue")
		b.run([]string{"prompts", "move", "@last", "p2", "--last"}).want(t, exit.OK, "p2 is number 3 of the queue")
		b.run([]string{"prompts", "move", "@last", "p2", "--position", "2"}).want(t, exit.OK, "p2 is number 2 of the queue")
		b.run([]string{"prompts", "move", "@last", "p2"}).want(t, exit.Usage, "want one of")
		b.run([]string{"prompts", "move", "@last", "p9", "--last"}).want(t, exit.Failed, "prompt_not_found")
		b.run([]string{"prompts", "cancel", "@last", "p3"}).want(t, exit.OK, "p3 cancelled")
		b.run([]string{"prompts", "@last"}).want(t, exit.OK, "p4  ", "p2  ")
		b.run([]string{"prompts", "cancel", "@last", "p4"}).want(t, exit.OK)
		b.run([]string{"prompts", "cancel", "@last", "p2"}).want(t, exit.OK)
		c <- os.Interrupt
	}})
	receive(b, moved, "the end of the moves")
	r.want(t, exit.Interrupted, `"type":"prompt_moved","promptId":"p4","before":"p2"`)
}

func TestChooseAModel(t *testing.T) {
	b := newBench(t).daemon()
	b.stdin = script(`[{"say": {"text": "hi"}}]`) // an agent that has had a turn has said before what it offers
	b.run([]string{"run", "--agent", "scripted", "--cwd", b.root, "-"}).want(t, exit.OK)
	b.run([]string{"model", "@last"}).want(t, exit.OK, "scripted/scripted-1  in force", "Scripted Two")
	b.run([]string{"model", "@last", "scripted/scripted-2"}).want(t, exit.OK, "model scripted/scripted-2: in force now")
	b.run([]string{"model", "@last"}).want(t, exit.OK, "scripted/scripted-2  in force")
	b.run([]string{"model", "@last", "scripted/none"}).want(t, exit.Failed, "invalid_request", "It offers: scripted/scripted-1")
	b.run([]string{"mode", "@last"}).want(t, exit.OK, "what else there is, is not known")
}
