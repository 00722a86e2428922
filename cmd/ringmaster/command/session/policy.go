package session

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/console"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/exit"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/lifecycle"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// policyFlags are the flags that say a policy.
type policyFlags struct {
	mode, defaults, file string
	rules                []string
	deadline             time.Duration
}

const ruleForm = "as ACTION[:TOOL[:PATTERN]]; may be repeated, the first that matches answers"

func (f *policyFlags) add(cmd *cobra.Command, mode string) {
	flags := cmd.Flags()
	flags.StringVar(&f.mode, mode, "", "what becomes of approvals that no rule answers: ask, allow_reads, allow_all or deny_all")
	flags.StringArrayVar(&f.rules, "rule", nil, "rule for approvals, "+ruleForm)
	flags.DurationVar(&f.deadline, "deadline", 0, "how long an approval waits for a person")
	flags.StringVar(&f.defaults, "default", "", "what is answered then: deny, deny_stop or allow")
	console.CompleteWords(cmd, mode, "ask", "allow_reads", "allow_all", "deny_all")
	console.CompleteWords(cmd, "default", "deny", "deny_stop", "allow")
	_ = cmd.RegisterFlagCompletionFunc("rule", cobra.FixedCompletions([]string{"allow:", "deny:", "deny_stop:", "ask:"},
		cobra.ShellCompDirectiveNoFileComp|cobra.ShellCompDirectiveNoSpace))
}

// policy is what the flags say; nil: nothing.
func (f *policyFlags) policy() (*protocol.Policy, error) {
	if f.mode == "" && len(f.rules) == 0 && f.deadline == 0 && f.defaults == "" && f.file == "" {
		return nil, nil
	}
	p := &protocol.Policy{}
	if f.file != "" {
		text, err := os.ReadFile(f.file)
		if err != nil {
			return nil, exit.Usagef("--file: %v", err)
		}
		dec := json.NewDecoder(strings.NewReader(string(text)))
		dec.DisallowUnknownFields()
		if err := dec.Decode(p); err != nil {
			return nil, exit.Usagef("--file %s: %v", f.file, err)
		}
	}
	if f.mode != "" {
		p.Mode = protocol.PolicyMode(f.mode)
	}
	for _, r := range f.rules {
		p.Rules = append(p.Rules, parseRule(r))
	}
	if f.deadline != 0 {
		p.Deadline = f.deadline.Milliseconds()
	}
	if f.defaults != "" {
		p.Default = protocol.PolicyAction(f.defaults)
	}
	if err := p.Check(); err != nil {
		return nil, exit.Usagef("%v", err)
	}
	return p, nil
}

// parseRule reads ACTION[:TOOL[:PATTERN]]; a pattern may have colons.
func parseRule(text string) protocol.PolicyRule {
	action, rest, _ := strings.Cut(text, ":")
	tool, pattern, _ := strings.Cut(rest, ":")
	return protocol.PolicyRule{Tool: tool, Pattern: pattern, Action: protocol.PolicyAction(action)}
}

// policy is the command of that name.
type policy struct {
	con           *console.Console
	target        *lifecycle.Target
	flags         policyFlags
	reset, asJSON bool
}

// Policy makes the command.
func Policy(con *console.Console, target *lifecycle.Target) *cobra.Command {
	p := &policy{con: con, target: target}
	cmd := &cobra.Command{
		Use:   "policy SESSION",
		Short: "Show or set what answers an agent's approvals in your name",
		Long: `Show what answers the approvals of a session, or set it. A policy is set as a whole and counts for approvals that open from
then on. Questions are always left to a person.

A rule is ACTION[:TOOL[:PATTERN]]. Actions are allow, deny, deny_stop and ask. TOOL is a glob over the tool's name or its kind: read,
search, edit, execute, fetch, other. PATTERN is a glob over the command line, the path or the URL; paths are relative to the
session's folder. A rule that allows with a wildcard holds for one command of plain words: "allow:execute:git *" does not allow
"git log; rm -r ." or "git log $x". One that denies sees every command inside, also behind sudo or bash -c. protocol/spec.md §4.10 has all
of it. A policy is no sandbox.`,
		Args: console.Args(1, 1),
		Example: `  ringmaster policy @last
  ringmaster policy @last --mode allow_reads --rule "allow:execute:go test *" --rule "deny_stop:edit:.git/**"
  ringmaster policy @last --mode ask --deadline 10m --default deny
  ringmaster policy @last --file policy.json
  ringmaster policy @last --reset`,
		ValidArgsFunction: completeSession(target),
		RunE:              p.run,
	}
	p.flags.add(cmd, "mode")
	cmd.Flags().StringVar(&p.flags.file, "file", "", "a policy as JSON; other flags add to it")
	cmd.Flags().BoolVar(&p.reset, "reset", false, "ask for everything")
	cmd.Flags().BoolVar(&p.asJSON, "json", false, "as JSON, for --file")
	_ = cmd.MarkFlagFilename("file", "json")
	return cmd
}

func (p *policy) run(cmd *cobra.Command, args []string) error {
	policy, err := p.flags.policy()
	if err != nil {
		return err
	}
	if p.reset && policy != nil {
		return exit.Usagef("--reset takes no other flag")
	}
	if p.reset {
		policy = &protocol.Policy{}
	}
	c, session, err := open(cmd.Context(), p.target, args[0])
	if err != nil {
		return err
	}
	defer c.Close()
	d, err := session.Show(cmd.Context())
	if policy != nil && err == nil {
		d, err = session.SetPolicy(cmd.Context(), policy)
	}
	if err != nil {
		return err
	}
	if d.Policy == nil {
		d.Policy = &protocol.Policy{}
	}
	if p.asJSON {
		text, err := json.Marshal(d.Policy)
		if err != nil {
			return err
		}
		return console.PrintJSON(p.con.Out, text)
	}
	return showPolicy(p.con.Out, d.Policy)
}

func showPolicy(w io.Writer, policy *protocol.Policy) error {
	var t console.Table
	for _, row := range policyRows(policy) {
		t.Add(row[0], row[1])
	}
	return t.Print(w)
}

// policyRows say a policy for people.
func policyRows(policy *protocol.Policy) [][2]string {
	var rows [][2]string
	for i, r := range policy.Rules {
		name := ""
		if i == 0 {
			name = "rules"
		}
		text := string(r.Action)
		if r.Tool != "" {
			text += "  tool " + r.Tool
		}
		if r.Pattern != "" {
			text += "  pattern " + strconv.Quote(r.Pattern)
		}
		rows = append(rows, [2]string{name, text})
	}
	mode := policy.Mode
	if mode == "" {
		mode = protocol.PolicyAsk
	}
	rows = append(rows, [2]string{"mode", string(mode)})
	if policy.Deadline > 0 {
		action := policy.Default
		if action == "" {
			action = protocol.PolicyDeny
		}
		rows = append(rows, [2]string{"deadline", fmt.Sprintf("%s, then %s", time.Duration(policy.Deadline)*time.Millisecond, action)})
	}
	return rows
}
