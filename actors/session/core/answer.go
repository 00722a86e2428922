package core

import (
	"fmt"
	"strings"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// checkAnswer refuses an answer that does not fit the question, before the agent can choke on it, and completes one that does:
// outcome and option of an approval follow from each other (spec §4.8).
func checkAnswer(r *protocol.RequestOpened, in *Resolve) (outcome protocol.Outcome, option string, err error) {
	switch {
	case r.Kind == protocol.RequestCallerTool:
		outcome, err = checkResult(in)
		return outcome, "", err
	case in.Result != nil:
		return "", "", misfit("Only the call of a caller tool has a result.", "Send outcome, option or answers.")
	case r.Kind == protocol.RequestApproval:
		return checkApproval(r, in)
	}
	outcome = in.Outcome
	if outcome == "" && len(in.Answers) > 0 {
		outcome = protocol.OutcomeAnswered
	}
	if outcome == protocol.OutcomeCancelled {
		return outcome, in.Option, nil
	}
	if outcome != protocol.OutcomeAnswered {
		return "", "", misfit("A question is answered or cancelled.", `Send {"answers":[["…"]]}, or {"outcome":"cancelled"}.`)
	}
	return outcome, in.Option, checkAnswers(r, in.Answers)
}

func checkApproval(r *protocol.RequestOpened, in *Resolve) (outcome protocol.Outcome, option string, err error) {
	outcome, option = in.Outcome, in.Option
	switch outcome {
	case protocol.OutcomeCancelled:
		if option != "" {
			return "", "", misfit("An answer with an option cancels nothing.", "Leave the option out, or the outcome.")
		}
		return outcome, "", nil
	case "", protocol.OutcomeAllowed, protocol.OutcomeDenied:
	case protocol.OutcomeAnswered, protocol.OutcomeFailed, protocol.OutcomeExpired:
		return "", "", approvalOutcomes()
	default:
		return "", "", approvalOutcomes()
	}
	if option == "" {
		option, err = optionFor(outcome, r)
		return outcome, option, err
	}
	if len(r.Options) > 0 && !protocol.HasOption(r.Options, option) {
		return "", "", misfit("The agent does not support this answer.", "It takes: "+optionList(r)+".")
	}
	implied := impliedOutcome(option)
	switch {
	case outcome == "" && implied == "":
		return "", "", misfit("What the option means is not known.", `Send "outcome" as well: allowed or denied.`)
	case implied != "" && outcome != "" && implied != outcome:
		return "", "", misfit(fmt.Sprintf("The option %s means %s, and the outcome says %s.", option, implied, outcome),
			"Send the one that is meant, alone.")
	case outcome == "":
		outcome = implied
	}
	return outcome, option, nil
}

func approvalOutcomes() error {
	return misfit("An approval is allowed or denied.", `Send {"outcome":"allowed"} or {"outcome":"denied"}, or one of the request's options.`)
}

// impliedOutcome is what an option of an approval means; empty: not one of the four.
func impliedOutcome(option string) protocol.Outcome {
	switch option {
	case protocol.AllowOnce, protocol.AllowAlways:
		return protocol.OutcomeAllowed
	case protocol.DenyContinue, protocol.DenyStop:
		return protocol.OutcomeDenied
	}
	return ""
}

// optionFor chooses the least that an outcome can mean. To allow for always is never chosen for anybody.
func optionFor(outcome protocol.Outcome, r *protocol.RequestOpened) (string, error) {
	var wanted []string
	switch outcome {
	case protocol.OutcomeAllowed:
		wanted = []string{protocol.AllowOnce}
	case protocol.OutcomeDenied:
		wanted = []string{protocol.DenyContinue, protocol.DenyStop}
	default:
		return "", approvalOutcomes()
	}
	for _, id := range wanted {
		if protocol.HasOption(r.Options, id) {
			return id, nil
		}
	}
	if outcome == protocol.OutcomeAllowed && len(r.Options) > 0 {
		return "", misfit("The agent cannot be allowed this once.", "Choose one of its options: "+optionList(r)+".")
	}
	return "", nil // the agent's own way
}

func optionList(r *protocol.RequestOpened) string {
	ids := make([]string, len(r.Options))
	for i, o := range r.Options {
		ids[i] = o.ID
	}
	return strings.Join(ids, ", ")
}

func checkAnswers(r *protocol.RequestOpened, answers [][]string) error {
	if len(answers) != len(r.Questions) {
		return misfit(fmt.Sprintf("Questions: %d, answers: %d.", len(r.Questions), len(answers)),
			"answers has one list for each question, in order.")
	}
	for i, q := range r.Questions {
		if len(answers[i]) == 0 || (len(answers[i]) > 1 && !q.Multiple) {
			return misfit(fmt.Sprintf("Question %d takes one answer.", i+1), "Only questions with multiple take more than one, and none takes nothing.")
		}
		if q.FreeText {
			continue
		}
		for _, a := range answers[i] {
			if !protocol.HasOption(q.Options, a) {
				return misfit(fmt.Sprintf("Question %d has no such option.", i+1), "Answers are ids of the question's options.")
			}
		}
	}
	return nil
}
