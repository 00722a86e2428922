package protocol

// Message is what one frame of the event stream says: an event of the log, or one of the signals that are not in
// the log (spec §7.2).
//
//sumtype:decl
type Message interface{ message() }

// Heartbeat says that the connection lives (spec §7.4).
type Heartbeat struct {
	Seq uint64 // of the last event sent on this connection
	Ts  int64  // Unix ms
}

// Reset says that the reader's cursor is not of this log: what it holds behind Common is void (spec §7.5). Oldest and Newest are the
// numbers of the first and last event of the log; both are 0 for an empty one.
type Reset struct {
	Epoch  uint64
	Oldest uint64
	Newest uint64
	Common uint64 // up to here the log is the one that the cursor is of; 0: that is not known, or of no use
}

func (*Event) message()     {}
func (*Heartbeat) message() {}
func (*Reset) message()     {}
func (*Damage) message()    {}

// The types of the signals on the wire. No event of a log has one of them.
const (
	TypeHeartbeat Type = "heartbeat"
	TypeReset     Type = "reset"
	TypeDamage    Type = "damage"
)

// DecodeMessage reads the data of a frame of the event stream. The error is a *SyntaxError.
func DecodeMessage(data []byte) (Message, error) {
	c, t, err := decoder(data)
	if err != nil {
		return nil, err
	}
	defer c.release()
	switch t {
	case TypeHeartbeat:
		var h Heartbeat
		c.uint("seq", &h.Seq)
		c.int64("ts", &h.Ts)
		return &h, c.problem()
	case TypeReset:
		var r Reset
		c.uint("epoch", &r.Epoch)
		c.uint("oldest", &r.Oldest)
		c.uint("newest", &r.Newest)
		c.optUint("common", &r.Common)
		return &r, c.problem()
	case TypeDamage:
		var d Damage
		c.str("file", &d.File)
		c.optInt64("offset", &d.Offset)
		c.optUint("seq", &d.Seq)
		c.str("problem", &d.Problem)
		c.optStr("hint", &d.Hint)
		return &d, c.problem()
	case TypeOverflow:
		var o Overflow
		o.code(c)
		return &o, c.problem()
	default:
	}
	e, err := c.event(t)
	return &e, err
}
