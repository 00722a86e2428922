package protocol

import (
	"runtime"
	"testing"
)

func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

func deltaEvent() Event {
	return Event{Seq: 42, Time: 1706835602050, Payload: &EntryDelta{EntryID: "e1", Delta: &TextAppend{Text: "I'll look at the code."}}}
}

func BenchmarkAppend(b *testing.B) {
	e := deltaEvent()
	buf := make([]byte, 0, 512)
	b.ReportAllocs()
	for b.Loop() {
		buf = Append(buf[:0], &e)
	}
	b.SetBytes(int64(len(buf)))
}

func BenchmarkDecode(b *testing.B) {
	e := deltaEvent()
	buf := Append(nil, &e)
	b.ReportAllocs()
	b.SetBytes(int64(len(buf)))
	for b.Loop() {
		if _, err := Decode(buf); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkFold folds one entry of 10,000 deltas; an operation is one delta.
func BenchmarkFold(b *testing.B) {
	start := Event{Seq: 1, Payload: &EntryStart{EntryID: "e1", EntryType: EntryAssistantMessage, Data: &MessageData{}}}
	delta := deltaEvent()
	b.ReportAllocs()
	var s *SessionState
	n := uint64(0)
	for b.Loop() {
		if n%10_000 == 0 {
			s = new(SessionState)
			s.Apply(&start)
			n = 1
		}
		n++
		delta.Seq = n
		s.Apply(&delta)
	}
}

// BenchmarkItems turns the same events into six-field items and pushes.
func BenchmarkItems(b *testing.B) {
	start := Event{Seq: 1, Payload: &EntryStart{EntryID: "e1", EntryType: EntryAssistantMessage, Data: &MessageData{}}}
	delta := deltaEvent()
	b.ReportAllocs()
	var v *Push
	n := uint64(0)
	for b.Loop() {
		if n%10_000 == 0 {
			v = NewPush("s")
			v.Item(&start)
			n = 1
		}
		n++
		delta.Seq, delta.Time = n, int64(n)*10
		v.Item(&delta)
	}
}
