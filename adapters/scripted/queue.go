package scripted

import "encoding/json"

// queue has the messages that were steered into a run, until they are delivered.
type queue struct {
	out  *output
	list []prompt
}

// prompt is a user's message that waits or runs.
type prompt struct {
	text   string
	images []imageBlock
	at     int64
}

func (q *queue) add(p prompt) {
	q.list = append(q.list, p)
	q.emit()
}

// next takes the oldest message off the queue.
func (q *queue) next() prompt {
	p := q.list[0]
	q.list = q.list[1:]
	q.emit()
	return p
}

// clear gives what was in the queue.
func (q *queue) clear() json.RawMessage {
	data := encode(queued{q.texts(), []string{}})
	q.list = nil
	q.emit()
	return data
}

func (q *queue) emit() { q.out.emit(queueUpdate{"queue_update", queued{q.texts(), []string{}}}) }

func (q *queue) texts() []string {
	out := make([]string, 0, len(q.list))
	for _, p := range q.list {
		out = append(out, p.text)
	}
	return out
}
