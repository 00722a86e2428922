package protocol

import (
	"encoding/json"
	"fmt"
)

// Damage says what of a session's files is not as it was written, so that the session is read-only and its log ends early (spec §7.12).
type Damage struct {
	File    string `json:"file" doc:"In the session's folder"`
	Offset  int64  `json:"offset,omitempty" doc:"Bytes of the file that are good"`
	Seq     uint64 `json:"seq,omitempty" doc:"The first event that cannot be read; absent: not known"`
	Problem string `json:"problem" doc:"What is wrong, for people"`
	Hint    string `json:"hint,omitempty" doc:"What to do about it"`
}

// String is the damage in one line.
func (d *Damage) String() string {
	text := d.File + " is damaged"
	if d.Offset > 0 {
		text += fmt.Sprintf(" at byte %d", d.Offset)
	}
	if d.Seq > 0 {
		text += fmt.Sprintf(", from event %d on", d.Seq)
	}
	return text + ": " + d.Problem
}

// AppendDamage adds the signal that a log ends early as a line of JSON, without a newline.
func AppendDamage(b []byte, d *Damage) []byte {
	line, err := json.Marshal(struct {
		Type Type `json:"type"`
		*Damage
	}{TypeDamage, d})
	if err != nil {
		panic(err) // strings and numbers
	}
	return append(b, line...)
}

// AppendDamageFrame adds the signal as a frame of a stream. It has no id: the reader stands where it stood.
func AppendDamageFrame(b []byte, d *Damage) []byte {
	return append(AppendDamage(append(b, "data: "...), d), "\n\n"...)
}
