package scripted

import "encoding/json"

// dialogs ask the user, one at a time.
type dialogs struct {
	out   *output
	in    *input
	ids   *ids
	open  string // id of the one that waits for its answer; empty: none
	reply reply  // to the last one
}

// reply is the user's answer to a dialog.
type reply struct {
	no    bool
	value string
}

// ask asks and waits for the answer. An abort waits with it.
func (d *dialogs) ask(q dialogRequest) (reply, error) {
	q.Type, q.ID = "extension_ui_request", d.ids.uuid()
	d.open = q.ID
	d.out.emit(q)
	for d.open != "" {
		if err := d.in.listen(); err != nil {
			return reply{}, err
		}
	}
	return d.reply, d.in.interrupted()
}

// answer takes the answer to the open dialog. Pi says nothing about stale ones.
func (d *dialogs) answer(c command) {
	var id string
	if _ = json.Unmarshal(c.ID, &id); id == "" || id != d.open {
		return
	}
	d.open = ""
	d.reply = reply{no: c.Cancelled || c.Confirmed != nil && !*c.Confirmed}
	if c.Value != nil {
		d.reply.value = *c.Value
	}
}
