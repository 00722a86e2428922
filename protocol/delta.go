package protocol

// Delta is one change of an open entry (spec §4.6); "op" discriminates on the wire.
//
//sumtype:decl
type Delta interface {
	Op() string
	code(c *coder)
}

// TextAppend appends to the entry's text; to the output of a tool call.
type TextAppend struct {
	Text         string   `json:"text"`                   // what is appended
	ContentIndex *int     `json:"contentIndex,omitempty"` // informative
	Extra        []Member `json:"-"`
}

// TextSet replaces the entry's text; the output of a tool call.
type TextSet struct {
	Text  string   `json:"text"` // what stands there now
	Extra []Member `json:"-"`
}

// ArgumentsAppend appends to the arguments of a tool call.
type ArgumentsAppend struct {
	Text  string   `json:"text"` // what is appended to the arguments
	Extra []Member `json:"-"`
}

// StatusChange moves a tool call to another phase. Output, where present, is appended.
type StatusChange struct {
	Status   ToolStatus `json:"status"`             // the new phase
	Output   string     `json:"output,omitempty"`   // what is appended to the output
	ExitCode *int       `json:"exitCode,omitempty"` // of a command, once it is known
	Extra    []Member   `json:"-"`
}

// SummaryAppend appends to one summary part of a thinking entry.
type SummaryAppend struct {
	SummaryIndex int      `json:"summaryIndex"` // the part, from 0
	Text         string   `json:"text"`         // what is appended to it
	Extra        []Member `json:"-"`
}

// UnknownDelta is a delta whose op this build does not know.
type UnknownDelta struct {
	Name  string
	Extra []Member
}

func (*TextAppend) Op() string      { return "text_append" }
func (*TextSet) Op() string         { return "text_set" }
func (*ArgumentsAppend) Op() string { return "arguments_append" }
func (*StatusChange) Op() string    { return "status_change" }
func (*SummaryAppend) Op() string   { return "summary_append" }
func (d *UnknownDelta) Op() string  { return d.Name }

func newDelta(op string) Delta {
	switch op {
	case "text_append":
		return new(TextAppend)
	case "text_set":
		return new(TextSet)
	case "arguments_append":
		return new(ArgumentsAppend)
	case "status_change":
		return new(StatusChange)
	case "summary_append":
		return new(SummaryAppend)
	}
	return &UnknownDelta{Name: op}
}

func (d *TextAppend) code(c *coder) {
	c.str("text", &d.Text)
	c.optIntPtr("contentIndex", &d.ContentIndex)
	c.rest(&d.Extra)
}

func (d *TextSet) code(c *coder) {
	c.str("text", &d.Text)
	c.rest(&d.Extra)
}

func (d *ArgumentsAppend) code(c *coder) {
	c.str("text", &d.Text)
	c.rest(&d.Extra)
}

func (d *StatusChange) code(c *coder) {
	c.str("status", (*string)(&d.Status))
	c.optStr("output", &d.Output)
	c.optIntPtr("exitCode", &d.ExitCode)
	c.rest(&d.Extra)
}

func (d *SummaryAppend) code(c *coder) {
	c.int("summaryIndex", &d.SummaryIndex)
	c.str("text", &d.Text)
	c.rest(&d.Extra)
}
func (d *UnknownDelta) code(c *coder) { c.rest(&d.Extra) }

// codeDelta codes a delta: the op discriminates and comes first.
func codeDelta(c *coder, p *Delta) {
	if !c.dec {
		d := *p
		if d == nil {
			d = new(TextAppend)
		}
		c.key("delta")
		c.out = append(c.out, `{"op":`...)
		c.out = appendString(c.out, d.Op())
		c.comma = true
		d.code(c)
		c.out = append(c.out, '}')
		return
	}
	c.object("delta", deltaReader{p})
}

// deltaReader reads the op of a delta and then what belongs to it.
type deltaReader struct{ to *Delta }

func (r deltaReader) code(c *coder) {
	*r.to = newDelta(c.word("op", deltaOps))
	(*r.to).code(c)
}

// deltaOps are the names of the ops, so that reading one makes no new string.
var deltaOps = map[string]string{
	"text_append": "text_append", "text_set": "text_set", "arguments_append": "arguments_append",
	"status_change": "status_change", "summary_append": "summary_append",
}
