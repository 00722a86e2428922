package adapters

import "github.com/ringmaster-agents/ringmaster/protocol"

// Command is what the session asks of an agent.
//
//sumtype:decl
type Command interface{ command() }

// Prompt sends a user's prompt. The session sends one to an idle agent at a time; a prompt with Steer goes into the
// running turn (and starts one where the agent has just become idle).
type Prompt struct {
	ID     string // comes back in PromptAnswered
	Text   string
	Images []Image
	Steer  bool
}

// Image is one picture of a prompt. The session names it by Ref (protocol.Prompt); the adapter fills in the rest before a
// translator sees it.
type Image struct {
	Ref       string
	MediaType string
	Data      []byte
}

// Interrupt stops the running turn. Whatever the agent's own queue holds is taken out first, and open requests are
// cancelled towards the agent where it would hang on them.
type Interrupt struct{}

// Answer answers a request. Outcome is OutcomeAllowed, OutcomeDenied, OutcomeAnswered or OutcomeCancelled.
type Answer struct {
	Key     RequestKey
	Outcome protocol.Outcome
	Option  string     // id of the chosen option of an approval
	Answers [][]string // one list per question
	Message string     // for the agent, where it takes one
}

// SetModel chooses the model, one of Offered or any word that the agent may know. The answer is SettingAnswered.
type SetModel struct {
	ID    string
	Model string
}

// SetMode chooses the mode, as SetModel does the model.
type SetMode struct {
	ID   string
	Mode string
}

func (SetModel) command()  {}
func (SetMode) command()   {}
func (Prompt) command()    {}
func (Interrupt) command() {}
func (Answer) command()    {}
