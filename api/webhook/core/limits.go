package core

// Limits bound webhooks (spec §7.17).
type Limits struct {
	Under int // way, deliveries of one webhook
	Made  int // notices of one webhook that wait
	Queue int // notices of one session and webhook that wait
	Dead  int // deliveries of one webhook
	Done  int // deliveries of one webhook that are remembered
}

// Usual are the limits of a daemon.
var Usual = Limits{Under: 4, Made: 1024, Queue: 16, Dead: 256, Done: 100}
