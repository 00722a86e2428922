package vitals

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/ringmaster-agents/ringmaster/actors/shipper"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// The metrics of a daemon with --core; another one has none of them.
var (
	coreUp         = prometheus.NewDesc("ringmaster_core_up", "1 while Core answers.", nil, nil)
	coreWaiting    = prometheus.NewDesc("ringmaster_core_waiting_sessions", "Sessions of which Core may lack something that can be sent.", nil, nil)
	coreBehind     = prometheus.NewDesc("ringmaster_core_behind_events", "Events that are shown here and that Core is not known to have.", nil, nil)
	coreLag        = prometheus.NewDesc("ringmaster_core_lag_seconds", "For how long the oldest of what waits has waited.", nil, nil)
	coreProblems   = prometheus.NewDesc("ringmaster_core_stuck_sessions", "Sessions of which nothing can be sent to Core, by reason.", []string{"reason"}, nil)
	coreEvents     = prometheus.NewDesc("ringmaster_core_events_total", "Events that Core has taken.", nil, nil)
	coreBytes      = prometheus.NewDesc("ringmaster_core_bytes_total", "Bytes of the lines that Core has taken.", nil, nil)
	coreWentBack   = prometheus.NewDesc("ringmaster_core_went_back_total", "Times that Core had lost events of a session that it had taken.", nil, nil)
	coreObjects    = prometheus.NewDesc("ringmaster_core_objects_up", "1 while events can move into Core's object store.", nil, nil)
	coreMoved      = prometheus.NewDesc("ringmaster_core_objects_events_total", "Events that this node has moved into Core's object store.", nil, nil)
	coreSuperseded = prometheus.NewDesc("ringmaster_core_superseded_events_total", "Events that a log had lost and Core had: Core keeps them aside.", nil, nil)
)

// sender sends one metric.
type sender = func(d *prometheus.Desc, t prometheus.ValueType, n float64, labels ...string)

func sendCore(send sender, s *shipper.State) {
	send(coreUp, prometheus.GaugeValue, map[bool]float64{true: 1}[s.Up])
	send(coreWaiting, prometheus.GaugeValue, float64(s.Waiting))
	send(coreBehind, prometheus.GaugeValue, float64(s.Behind))
	send(coreLag, prometheus.GaugeValue, s.Lag.Seconds())
	for _, k := range shipper.Kinds {
		send(coreProblems, prometheus.GaugeValue, float64(s.Problems[k]), string(k))
	}
	send(coreEvents, prometheus.CounterValue, float64(s.Events))
	send(coreBytes, prometheus.CounterValue, float64(s.Bytes))
	send(coreWentBack, prometheus.CounterValue, float64(s.WentBack))
	send(coreSuperseded, prometheus.CounterValue, float64(s.Superseded))
	if o := s.Objects; o != nil {
		send(coreObjects, prometheus.GaugeValue, map[bool]float64{true: 1}[o.Works])
		send(coreMoved, prometheus.CounterValue, float64(o.Moved))
	}
}

// CoreOf is what is told of Core; nil: there is none.
func CoreOf(s *shipper.State) *resource.CoreState {
	if s == nil {
		return nil
	}
	out := &resource.CoreState{Up: s.Up, Behind: s.Behind, Waiting: s.Waiting, LagMs: s.Lag.Milliseconds()}
	for _, n := range s.Problems {
		out.Stuck += n
	}
	out.Problem, out.Hint = s.Wrong()
	return out
}
