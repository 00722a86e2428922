package schema

import (
	"encoding/json"
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Prefix is that of references to schemas.
const Prefix = "#/components/schemas/"

// ProtocolPath is the path of the package whose types have their texts from its comments.
var ProtocolPath = reflect.TypeFor[protocol.Event]().PkgPath()

// Enums are the closed sets of words of package protocol. Sets that stay open (agents, roles, system kinds) are not here.
var Enums = map[reflect.Type][]any{
	reflect.TypeFor[protocol.State](): words(protocol.StateStarting, protocol.StateIdle, protocol.StateQueued, protocol.StateResponding,
		protocol.StateRetrying, protocol.StateCompacting, protocol.StateRunningTool, protocol.StateAwaitingApproval,
		protocol.StateAwaitingInput, protocol.StateInterrupting, protocol.StateCompleted, protocol.StateTerminated,
		protocol.StateFailed),
	reflect.TypeFor[protocol.AgentStatus](): words(protocol.AgentIdle, protocol.AgentQueued, protocol.AgentResponding, protocol.AgentRunningTool),
	reflect.TypeFor[protocol.EntryType](): words(protocol.EntryUserMessage, protocol.EntryAssistantMessage, protocol.EntryThinking,
		protocol.EntryToolCall, protocol.EntryToolResult, protocol.EntryPlan, protocol.EntryCompaction, protocol.EntrySystem),
	reflect.TypeFor[protocol.ToolStatus](): words(protocol.ToolPending, protocol.ToolAwaitingApproval, protocol.ToolRunning,
		protocol.ToolCompleted, protocol.ToolError),
	reflect.TypeFor[protocol.TurnStatus](): words(protocol.TurnCompleted, protocol.TurnInterrupted, protocol.TurnError),
	reflect.TypeFor[protocol.TurnCause](): words(protocol.CauseUser, protocol.CauseParent, protocol.CauseDaemon, protocol.CauseAgent, protocol.CauseLost,
		protocol.CauseBudget),
	reflect.TypeFor[protocol.BudgetAction](): words(protocol.BudgetWarn, protocol.BudgetPause, protocol.BudgetInterrupt, protocol.BudgetEnd),
	reflect.TypeFor[protocol.BudgetScope]():  words(protocol.ScopeSession, protocol.ScopeTree, protocol.ScopeOwner),
	reflect.TypeFor[protocol.BudgetLimit](): words(protocol.LimitTokens, protocol.LimitCost, protocol.LimitWork, protocol.LimitTurns, protocol.LimitToolCalls,
		protocol.LimitChildren),
	reflect.TypeFor[protocol.BudgetState](): words(protocol.BudgetWarned, protocol.BudgetReached, protocol.BudgetLifted),
	reflect.TypeFor[protocol.EndReason]():   words(protocol.EndCompleted, protocol.EndTerminated, protocol.EndError),
	reflect.TypeFor[protocol.Behavior]():    words(protocol.Steer, protocol.FollowUp),
	reflect.TypeFor[protocol.RequestKind](): words(protocol.RequestApproval, protocol.RequestQuestion, protocol.RequestElicitation,
		protocol.RequestCallerTool),
	reflect.TypeFor[protocol.Outcome](): words(protocol.OutcomeAllowed, protocol.OutcomeDenied, protocol.OutcomeAnswered,
		protocol.OutcomeFailed, protocol.OutcomeCancelled, protocol.OutcomeExpired),
	reflect.TypeFor[protocol.ToolKind](): words(protocol.ToolRead, protocol.ToolSearch, protocol.ToolEdit, protocol.ToolExecute,
		protocol.ToolFetch, protocol.ToolOther),
	reflect.TypeFor[protocol.PolicyMode]():   words(protocol.PolicyAsk, protocol.PolicyAllowReads, protocol.PolicyAllowAll, protocol.PolicyDenyAll),
	reflect.TypeFor[protocol.PolicyAction](): words(protocol.PolicyAllow, protocol.PolicyDeny, protocol.PolicyDenyStop, protocol.PolicyLeave),
	reflect.TypeFor[protocol.RemoveReason](): words(protocol.RemovedDispatched, protocol.RemovedCancelled),
	reflect.TypeFor[protocol.Code]():         words(protocol.Codes()...),
}

// enumOf is the closed set of words of a type.
func enumOf[T ~string]() []any { return Enums[reflect.TypeFor[T]()] }

func words[S ~string](list ...S) []any {
	out := make([]any, len(list))
	for i, w := range list {
		out[i] = string(w)
	}
	return out
}

// KnownState says whether there is such a state.
func KnownState(s protocol.State) bool {
	return slices.Contains(enumOf[protocol.State](), any(string(s)))
}

// StateNames lists the states for people.
func StateNames() string {
	var names []string
	for _, s := range enumOf[protocol.State]() {
		names = append(names, fmt.Sprint(s))
	}
	return strings.Join(names, ", ")
}

// Payloads has one value of every event type, in the order of protocol.Types. A test holds the two together.
var Payloads = []protocol.Payload{
	&protocol.SessionStart{}, &protocol.SessionEnd{}, &protocol.SessionMeta{}, &protocol.ChildSession{}, &protocol.Epoch{},
	&protocol.TurnStart{}, &protocol.TurnEnd{},
	&protocol.EntryStart{}, &protocol.EntryDelta{}, &protocol.EntryEnd{}, &protocol.EntryMeta{},
	&protocol.RequestOpened{}, &protocol.RequestResolved{}, &protocol.PromptQueued{}, &protocol.PromptMoved{}, &protocol.PromptRemoved{},
	&protocol.TokenUsage{}, &protocol.Status{}, &protocol.BudgetMark{},
}

// Deltas has one value of every kind of change.
var Deltas = []protocol.Delta{
	&protocol.TextAppend{}, &protocol.TextSet{}, &protocol.ArgumentsAppend{}, &protocol.StatusChange{}, &protocol.SummaryAppend{},
}

// EntryData has one value of every content of entries.
var EntryData = []protocol.EntryData{
	&protocol.MessageData{}, &protocol.ToolCallData{}, &protocol.ToolResultData{}, &protocol.ThinkingData{}, &protocol.PlanData{},
	&protocol.CompactionData{}, &protocol.SystemData{},
}

// SessionState is what a log says, folded, which part of that it is, and what is damaged of the log.
func SessionState(reg huma.Registry) *huma.Schema {
	ref := reg.Schema(reflect.TypeFor[protocol.SessionState](), true, "")
	state := reg.SchemaFromRef(ref.Ref)
	state.Properties["damage"] = &huma.Schema{
		Ref: reg.Schema(reflect.TypeFor[protocol.Damage](), true, "").Ref, Description: "Of a log that ends early: the state is that of what can be read",
	}
	state.Properties["part"] = &huma.Schema{
		Ref: reg.Schema(reflect.TypeFor[protocol.StatePart](), true, "").Ref, Description: "Of a page (entries): which part of the state it is",
	}
	return ref
}

// Finish adds to the schema of a struct what its Go types say and huma does not read: closed sets of words, the two unions,
// descriptions. Members may be added to answers later, so their schemas are open.
func Finish(t reflect.Type, s *huma.Schema) {
	s.AdditionalProperties = nil
	for owner, f := range FieldsOf(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		p := s.Properties[name]
		if p == nil || name == "-" {
			continue
		}
		base := f.Type
		for base.Kind() == reflect.Pointer {
			base = base.Elem()
		}
		switch {
		case base == reflect.TypeFor[protocol.EntryData]():
			*p = huma.Schema{}
			byEntryType(s)
		case base == reflect.TypeFor[protocol.EntryType](): // the cases name them
		case base == reflect.TypeFor[protocol.Delta]():
			*p = huma.Schema{Ref: Prefix + "Delta"}
		case base == reflect.TypeFor[[]byte]() && owner.PkgPath() == ProtocolPath: // raw JSON
			*p = huma.Schema{}
		case Enums[base] != nil && len(p.Enum) == 0:
			p.Enum = Enums[base]
		}
		if doc := fieldDocs[owner.Name()+"."+f.Name]; doc != "" && p.Description == "" && owner.PkgPath() == ProtocolPath {
			p.Description = doc
		}
	}
}

// FieldsOf goes through the fields of a struct and of what it embeds, with the struct that declares each.
func FieldsOf(t reflect.Type) iter.Seq2[reflect.Type, reflect.StructField] {
	return func(yield func(reflect.Type, reflect.StructField) bool) {
		for _, f := range reflect.VisibleFields(t) {
			owner := t
			if n := len(f.Index) - 1; n > 0 {
				owner = t.FieldByIndex(f.Index[:n]).Type
			}
			if !f.Anonymous && f.IsExported() && !yield(owner, f) {
				return
			}
		}
	}
}

// ExampleOf is an example event as the codec writes it.
func ExampleOf(t protocol.Type) any {
	for i := range ExampleEvents {
		if e := &ExampleEvents[i]; e.Payload.Type() == t {
			var v any
			if err := json.Unmarshal(protocol.Append(nil, e), &v); err != nil {
				panic(err) // the codec writes JSON
			}
			return v
		}
	}
	return nil
}
