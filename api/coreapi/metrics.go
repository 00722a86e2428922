package coreapi

import (
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/ringmaster-agents/ringmaster/api/guard"
)

// The outcomes of a call beside the codes of problems.
const (
	outcomeOK   = "ok"
	outcomeBusy = "busy" // there was neither place nor room in time
	outcomeCut  = "cut"  // the answer did not get to its end
)

// The limits of which a call may find nothing left.
const (
	limitConnections = "connections"
	limitRequests    = "requests"
	limitBeats       = "beats"
	limitBodies      = "bodies"
)

const prefix = "ringmaster_core_serve_"

// metrics are what a server counts, on a registry of its own. No label has a node, a session or a credential.
type metrics struct {
	registry   *prometheus.Registry
	requests   *prometheus.CounterVec
	duration   *prometheus.HistogramVec
	received   *prometheus.CounterVec
	sent       *prometheus.CounterVec
	refused    *prometheus.CounterVec
	rejections *prometheus.CounterVec
}

func newMetrics() *metrics {
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Name: prefix + name, Help: help}, labels)
	}
	m := &metrics{
		registry: prometheus.NewRegistry(),
		requests: counter("requests_total", "Calls that are over, by what came of them: ok, busy, cut, or the code of a problem.", "call", "outcome"),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: prefix + "request_seconds", Help: "From a call's headers to its answer's end, streams left out.",
			Buckets: prometheus.ExponentialBuckets(0.0005, 4, 9),
		}, []string{"call"}),
		received:   counter("received_bytes_total", "Bytes of bodies, as they came, by call.", "call"),
		sent:       counter("sent_bytes_total", "Bytes of bodies, as they were written, by call.", "call"),
		refused:    counter("busy_total", "Calls that found a limit reached, by limit: nodes are told that Core is away.", "limit"),
		rejections: counter("rejections_total", "Requests that the guard turned away, by reason.", "reason"),
	}
	m.registry.MustRegister(m.requests, m.duration, m.received, m.sent, m.refused, m.rejections,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	for _, limit := range []string{limitConnections, limitRequests, limitBeats, limitBodies} {
		m.refused.WithLabelValues(limit)
	}
	return m
}

// gauge adds what is asked for at each scrape.
func (m *metrics) gauge(name, help string, now func() float64) {
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: prefix + name, Help: help}, now))
}

// watch adds how things stand at a server, and serves all of it to whoever has the server's own token.
func (s *Server) watch() {
	m := s.metrics
	m.gauge("up", "1 while the database answers: it is asked at each scrape.", func() float64 {
		if s.asks() != nil {
			return 0
		}
		return 1
	})
	m.gauge("requests_in_flight", "Calls at work, without beats.", s.places.inUse)
	m.gauge("beats_in_flight", "Beats and declarations at work.", s.pulses.inUse)
	m.gauge("body_bytes", "Bytes of memory that bodies of calls at work may take.", s.bodies.inUse)
	if use := s.cfg.Database; use != nil {
		m.gauge("database_connections_busy", "Connections to the database on which something is asked.", func() float64 { return float64(use().Busy) })
		m.gauge("database_connections", "Connections to the database.", func() float64 { return float64(use().Open) })
		m.gauge("database_connections_limit", "Connections to the database, at most.", func() float64 { return float64(use().Most) })
	}
	if moves := s.cfg.Moves; moves != nil {
		m.gauge("objects_up", "1 while events can move from rows into the object store.", func() float64 { return map[bool]float64{true: 1}[moves()] })
	}
	if s.cfg.MetricsToken == "" {
		return
	}
	h := promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{DisableCompression: true})
	s.routes.HandleFunc("GET /metrics", func(w http.ResponseWriter, r *http.Request) {
		_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(healthTime + writeTime))
		h.ServeHTTP(w, r)
	})
	s.routes.Row("GET /metrics").Need = guard.All
}

// tally is what is counted of one call.
type tally struct {
	http.ResponseWriter
	in             io.ReadCloser
	received, sent int64
	outcome        string
}

// tallied counts what a call takes and gives.
func tallied(w http.ResponseWriter, r *http.Request) *tally {
	t := &tally{ResponseWriter: w, in: r.Body, outcome: outcomeOK}
	r.Body = t
	return t
}

// Unwrap is for http.ResponseController.
func (t *tally) Unwrap() http.ResponseWriter { return t.ResponseWriter }

func (t *tally) Write(b []byte) (int, error) {
	n, err := t.ResponseWriter.Write(b)
	t.sent += int64(n)
	if err != nil {
		t.outcome = outcomeCut
	}
	return n, err
}

func (t *tally) Read(b []byte) (int, error) {
	n, err := t.in.Read(b)
	t.received += int64(n)
	return n, err
}

// Close ends the body.
func (t *tally) Close() error { return t.in.Close() }

// failed notes what came of a call, by its error.
func (t *tally) failed(err error) {
	t.outcome = string(problemOf(err).Code)
	if errors.Is(err, errBusy) {
		t.outcome = outcomeBusy
	}
}

// answered counts a call that is over.
func (m *metrics) answered(call string, l lane, t *tally, took time.Duration) {
	m.requests.WithLabelValues(call, t.outcome).Inc()
	m.received.WithLabelValues(call).Add(float64(t.received))
	m.sent.WithLabelValues(call).Add(float64(t.sent))
	if !l.isStream {
		m.duration.WithLabelValues(call).Observe(took.Seconds())
	}
}

// busy counts a call that found a limit reached.
func (m *metrics) busy(limit string) error {
	m.refused.WithLabelValues(limit).Inc()
	return errBusy
}
