package api

import (
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/document"
	"github.com/ringmaster-agents/ringmaster/api/guard"
	"github.com/ringmaster-agents/ringmaster/api/operation"
	"github.com/ringmaster-agents/ringmaster/api/vitals"
)

// metrics are the API's own counters, on a registry of their own: no other package can add to what /metrics shows.
type metrics struct {
	registry   *prometheus.Registry
	requests   *prometheus.CounterVec
	duration   *prometheus.HistogramVec
	sent       *prometheus.CounterVec
	rejections *prometheus.CounterVec
}

// newMetrics makes them. streams and requests say how many are open and at work.
func newMetrics(sup *access.Gate, streams func() int, requests func() int64) *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "ringmaster_http_requests_total", Help: "Requests that were answered, by route and status.",
		}, []string{"route", "status"}),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "ringmaster_http_request_seconds", Help: "From the request's headers to the answer's end, streams left out.",
			Buckets: prometheus.ExponentialBuckets(0.0005, 4, 9),
		}, []string{"route"}),
		sent: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "ringmaster_http_sent_bytes_total", Help: "Bytes of bodies, as they were written, by route.",
		}, []string{"route"}),
		rejections: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "ringmaster_http_rejections_total", Help: "Requests that the guard turned away, by reason.",
		}, []string{"reason"}),
	}
	m.registry.MustRegister(m.requests, m.duration, m.sent, m.rejections, vitals.Of(sup),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "ringmaster_http_streams", Help: "Open streams."},
			func() float64 { return float64(streams()) }),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "ringmaster_http_requests_in_flight", Help: "Requests at work, streams left out."},
			func() float64 { return float64(requests()) }),
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// passesOn adds how many requests are under way to other nodes.
func (m *metrics) passesOn(open func() int) {
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "ringmaster_http_requests_passed_on", Help: "Requests under way to other nodes, streams among them.",
	}, func() float64 { return float64(open()) }))
}

// request counts one answer. What the guard turned away has the route "none".
func (m *metrics) request(rt string, stream bool, status int, bytes int64, took time.Duration) {
	m.requests.WithLabelValues(rt, strconv.Itoa(status)).Inc()
	m.sent.WithLabelValues(rt).Add(float64(bytes))
	if !stream {
		m.duration.WithLabelValues(rt).Observe(took.Seconds())
	}
}

func (m *metrics) register(t *operation.Table) {
	h := promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{DisableCompression: true})
	t.Routes.HandleFunc("GET /metrics", h.ServeHTTP)
	t.Routes.Row("GET /metrics").Need = guard.All
	document.DescribeMetrics(t)
}
