package core

import (
	"bytes"
	"maps"
	"slices"
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Kept is the record as Core keeps it, a copy: in texts and labels, what is no UTF-8, and NUL, is U+FFFD; an id that is no UUID is as if it were not
// there; times are in UTC, whole microseconds of the years 1 to 9999; what is not FailoverAuto is FailoverStay. Told is kept as it is.
func (r Record) Kept() Record {
	if !protocol.ValidSessionID(r.Root) {
		r.Root = r.Session
	}
	if !protocol.ValidSessionID(r.Parent) {
		r.Parent = ""
	}
	for _, text := range []*string{&r.Agent, &r.Owner, &r.State, &r.Workspace} {
		*text = Text(*text)
	}
	r.Created, r.Updated = moment(r.Created), moment(r.Updated)
	labels := make(map[string]string, len(r.Labels))
	for _, key := range slices.Sorted(maps.Keys(r.Labels)) {
		if kept := Text(key); kept == key || labels[kept] == "" {
			labels[kept] = Text(r.Labels[key])
		}
	}
	r.Labels = labels
	r.Told = bytes.Clone(r.Told)
	if r.Failover != FailoverAuto {
		r.Failover = FailoverStay
	}
	r.Epoch, r.First = max(r.Epoch, 1), max(r.First, 1)
	return r
}

// Fits says whether Core can have a session of this record.
func (r *Record) Fits() bool {
	return protocol.ValidSessionID(r.Session) && r.Epoch <= protocol.MaxSeq && r.First <= protocol.MaxSeq && r.Claimed <= protocol.MaxSeq
}

func moment(t time.Time) time.Time {
	t = t.UTC().Truncate(time.Microsecond)
	switch year := t.Year(); {
	case year < 1:
		return time.Time{}
	case year > 9999:
		return time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)
	}
	return t
}
