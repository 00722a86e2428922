package call

import "github.com/google/jsonschema-go/jsonschema"

// word is what a member of a tool's arguments or results means where nothing else is said there: names mean the same everywhere.
type word struct {
	says    string
	values  string // closed list, as the tag enum has it
	minimum *float64
}

var glossary = map[string]word{
	"session_id":          {says: "the session, as session_message, session_create and session_list give it"},
	"request_id":          {says: "of a request that somebody has to answer"},
	"prompt_id":           {says: "of the message"},
	"turn_id":             {says: "of the turn that it belongs to"},
	"entry_id":            {says: "what it is part of: a later one with the same entry_id replaces it"},
	"call_id":             {says: "of the tool call, the same in tool_call and tool_result"},
	"agent":               {says: "name of the agent"},
	"title":               {says: "for people"},
	"model":               {says: "in the agent's own words"},
	"mode":                {says: "how the agent works, or a policy answers what no rule does"},
	"labels":              {says: "to find it by"},
	"version":             {says: "of the agent's program"},
	"agents":              {says: "by name"},
	"created_at":          {says: "when it was made"},
	"queued_at":           {says: "when it came"},
	"status":              {says: "what the session does, in one word", values: "running,idle,completed,failed"},
	"state":               {says: "the status in detail", values: "states"},
	"epoch":               {says: "of the log's numbers: in another epoch they may name other events"},
	"error":               {says: "what went wrong"},
	"hint":                {says: "what mends it"},
	"text":                {says: "the text"},
	"arguments":           {says: "of the tool, in JSON"},
	"tool":                {says: "the tool, by its own name or its kind"},
	"tool_name":           {says: "the tool, as the agent calls it"},
	"tool_kind":           {says: "what the tool does: read, search, edit, execute, fetch or other"},
	"subject":             {says: "what the tool works on: the command line, the path or the URL"},
	"option":              {says: "id of the option that was chosen"},
	"options":             {says: "what can be answered"},
	"questions":           {says: "one answer each, in order"},
	"id":                  {says: "what to answer with"},
	"label":               {says: "for people"},
	"description":         {says: "more about it"},
	"header":              {says: "what the question is about, in a word or two"},
	"multiple":            {says: "several options may be chosen"},
	"freeText":            {says: "any text is an answer"},
	"prefill":             {says: "an answer to begin with"},
	"deadline":            {says: "until when an answer is waited for, or, of a policy, for how many milliseconds"},
	"default":             {says: "what the policy answers when the deadline has passed"},
	"rules":               {says: "the first that matches answers"},
	"pattern":             {says: "glob over what the tool works on"},
	"action":              {says: "what the rule does with an approval that it matches"},
	"name":                {says: "of the tool: letters, digits, _ and -"},
	"deleted":             {says: "it is gone"},
	"event":               {says: "the whole event of the log that it is made of"},
	"events":              {says: "in order"},
	"index":               {says: "place in the log, from 0; 0 when it is pushed"},
	"seq":                 {says: "number in the log, from 1"},
	"ts":                  {says: "Unix milliseconds"},
	"type":                {says: "what it is", values: "events"},
	"role":                {says: "whose text it is: user or assistant"},
	"is_error":            {says: "the tool failed"},
	"bytes":               {says: "of the whole text, where it is cut"},
	"truncated":           {says: "the text is cut"},
	"outcome":             {says: "what became of it"},
	"reason":              {says: "why: user, parent, daemon, agent or lost"},
	"kind":                {says: "what is wanted: approval, question, elicitation or caller_tool"},
	"by":                  {says: "who answered"},
	"asker":               {says: "the session that asks, where it is another one"},
	"child_session_id":    {says: "the session that works for this one, and has come to rest"},
	"entry_seq":           {says: "number of the entry's first event"},
	"cached_input_tokens": {says: "of the input, read from a cache"},
	"input_tokens":        {says: "all input, cached included"},
	"output_tokens":       {says: "reasoning included"},
	"total_tokens":        {says: "of both"},
	"streaming_behavior":  {says: "what it does while a turn runs", values: "steer,followUp"},
	"media_type":          {says: "of the picture", values: "image/png,image/jpeg,image/gif,image/webp"},
	"types":               {says: "only events of these types", values: "events"},
	"wait":                {says: "for all sessions or any", values: "all,any"},
	"wait_ms":             {says: "wait so many milliseconds", minimum: new(0.0)},
	"since_index":         {says: "only what comes after this index", minimum: new(-1.0)},
	"max_events":          {says: "at most so many events", minimum: new(1.0)},
	"max_bytes":           {says: "at most so many bytes", minimum: new(0.0)},
	"max_text":            {says: "at most so many bytes of a text", minimum: new(0.0)},
	"mcp":                 {says: "its agent has these tools"},
}

// explain puts what the glossary says into properties that say less.
func explain(s *jsonschema.Schema, lists map[string][]string) {
	if s == nil {
		return
	}
	for name, p := range s.Properties {
		w := glossary[name]
		if p.Description == "" {
			p.Description = w.says
		}
		text := p
		if p.Items != nil {
			text = p.Items
		}
		if w.values != "" && text.Enum == nil && text.Type == "string" {
			enumerate(text, w.values, lists)
		}
		if p.Minimum == nil && p.Maximum == nil && (p.Type == "integer" || p.Type == "number") {
			p.Minimum = w.minimum
		}
		explain(p, lists)
	}
	explain(s.Items, lists)
}
