// Package vitals makes metrics of the supervisor's health, for /metrics.
package vitals

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/ringmaster-agents/ringmaster/supervisor"
	"github.com/ringmaster-agents/ringmaster/supervisor/keep"
)

// Of gives the metrics of a supervisor, as its health is at every scrape.
func Of(sup interface{ Health() supervisor.Health }) prometheus.Collector { return &vitals{sup} }

type vitals struct {
	sup interface{ Health() supervisor.Health }
}

var (
	vitalReady        = prometheus.NewDesc("ringmaster_ready", "1 when the daemon takes work.", nil, nil)
	vitalSessions     = prometheus.NewDesc("ringmaster_sessions", "Sessions that are known.", nil, nil)
	vitalLive         = prometheus.NewDesc("ringmaster_sessions_live", "Sessions with an actor.", nil, nil)
	vitalDamaged      = prometheus.NewDesc("ringmaster_sessions_damaged", "Sessions that are read-only because their journal is damaged.", nil, nil)
	vitalAgents       = prometheus.NewDesc("ringmaster_agents", "Running agent processes.", nil, nil)
	vitalEvents       = prometheus.NewDesc("ringmaster_events_total", "Events appended.", nil, nil)
	vitalDeadLetters  = prometheus.NewDesc("ringmaster_dead_letters_total", "Messages that reached no actor.", nil, nil)
	vitalFailures     = prometheus.NewDesc("ringmaster_supervisor_failures_total", "Messages that the supervisor failed at: bugs.", nil, nil)
	vitalUnknown      = prometheus.NewDesc("ringmaster_unknown_lines_total", "Native lines of a kind that no translator knows.", []string{"agent"}, nil)
	vitalRestarts     = prometheus.NewDesc("ringmaster_agent_restarts_total", "Agents that were started again.", nil, nil)
	vitalTornBytes    = prometheus.NewDesc("ringmaster_journal_torn_bytes_total", "Bytes cut from journals at recovery.", nil, nil)
	vitalWriteErrors  = prometheus.NewDesc("ringmaster_journal_errors_total", "Failed journal writes and syncs.", nil, nil)
	vitalIllegal      = prometheus.NewDesc("ringmaster_illegal_transitions_total", "Changes of a status that the status machine does not have: bugs.", nil, nil)
	vitalStalled      = prometheus.NewDesc("ringmaster_sessions_stalled", "Sessions whose agent works and has said nothing for long.", nil, nil)
	vitalRequests     = prometheus.NewDesc("ringmaster_requests_open", "Open requests of agents: approvals and questions.", nil, nil)
	vitalFloodHeld    = prometheus.NewDesc("ringmaster_flood_held_seconds_total", "How long agents that flood were made to wait for others.", nil, nil)
	vitalRawBytes     = prometheus.NewDesc("ringmaster_raw_bytes_total", "Native lines that were archived, in bytes before compression.", nil, nil)
	vitalRawGaps      = prometheus.NewDesc("ringmaster_raw_gaps_total", "Times at which native lines could not be archived.", nil, nil)
	vitalDiscarded    = prometheus.NewDesc("ringmaster_retention_sessions_total", "Sessions that retention has removed, by reason.", []string{"reason"}, nil)
	vitalArchivesGone = prometheus.NewDesc("ringmaster_retention_archives_total", "Sessions whose native lines have gone, by reason.", []string{"reason"}, nil)
	vitalTrims        = prometheus.NewDesc("ringmaster_log_trims_total", "Times that the oldest events of a log have gone.", nil, nil)
	vitalFreed        = prometheus.NewDesc("ringmaster_retention_bytes_total", "Bytes that retention has removed, as they were measured.", nil, nil)
	vitalRawLost      = prometheus.NewDesc("ringmaster_raw_lost_lines_total", "Native lines that could not be archived.", nil, nil)
	vitalDescriptions = []*prometheus.Desc{
		vitalReady, vitalSessions, vitalLive, vitalDamaged, vitalAgents, vitalEvents, vitalDeadLetters, vitalFailures, vitalUnknown,
		vitalRestarts, vitalTornBytes, vitalWriteErrors, vitalIllegal, vitalStalled, vitalRequests, vitalFloodHeld, vitalRawBytes, vitalRawGaps, vitalRawLost,
		vitalDiscarded, vitalArchivesGone, vitalTrims, vitalFreed,
		coreUp, coreWaiting, coreBehind, coreLag, coreProblems, coreEvents, coreBytes, coreWentBack, coreSuperseded, coreObjects, coreMoved,
	}
)

// Describe is for prometheus.
func (v *vitals) Describe(out chan<- *prometheus.Desc) {
	for _, d := range vitalDescriptions {
		out <- d
	}
}

// Collect is for prometheus.
func (v *vitals) Collect(out chan<- prometheus.Metric) {
	h := v.sup.Health()
	send := func(d *prometheus.Desc, t prometheus.ValueType, n float64, labels ...string) {
		out <- prometheus.MustNewConstMetric(d, t, n, labels...)
	}
	send(vitalReady, prometheus.GaugeValue, map[bool]float64{true: 1}[h.Ready])
	send(vitalSessions, prometheus.GaugeValue, float64(h.Sessions))
	send(vitalLive, prometheus.GaugeValue, float64(h.Live))
	send(vitalDamaged, prometheus.GaugeValue, float64(h.Damaged))
	send(vitalAgents, prometheus.GaugeValue, float64(h.Agents))
	send(vitalEvents, prometheus.CounterValue, float64(h.Events))
	send(vitalDeadLetters, prometheus.CounterValue, float64(h.DeadLetters))
	send(vitalFailures, prometheus.CounterValue, float64(h.Failures))
	for name, n := range h.UnknownLines {
		send(vitalUnknown, prometheus.CounterValue, float64(n), name)
	}
	send(vitalRestarts, prometheus.CounterValue, float64(h.AgentRestarts))
	send(vitalTornBytes, prometheus.CounterValue, float64(h.TornBytes))
	send(vitalWriteErrors, prometheus.CounterValue, float64(h.WriteErrors))
	send(vitalIllegal, prometheus.CounterValue, float64(h.Illegal))
	send(vitalStalled, prometheus.GaugeValue, float64(h.Stalled))
	send(vitalRequests, prometheus.GaugeValue, float64(h.OpenRequests))
	send(vitalFloodHeld, prometheus.CounterValue, h.FloodHeld.Seconds())
	send(vitalRawBytes, prometheus.CounterValue, float64(h.RawBytes))
	send(vitalRawGaps, prometheus.CounterValue, float64(h.RawGaps))
	for _, why := range []keep.Why{keep.WhyAge, keep.WhyBytes} {
		send(vitalDiscarded, prometheus.CounterValue, float64(h.Retention.Sessions[why]), string(why))
	}
	for _, why := range []keep.Why{keep.WhyBytes, keep.WhyDisk} {
		send(vitalArchivesGone, prometheus.CounterValue, float64(h.Retention.Archives[why]), string(why))
	}
	send(vitalTrims, prometheus.CounterValue, float64(h.Retention.Trims))
	send(vitalFreed, prometheus.CounterValue, float64(h.Retention.Bytes))
	send(vitalRawLost, prometheus.CounterValue, float64(h.RawLost))
	if h.Core != nil {
		sendCore(send, h.Core)
	}
}
