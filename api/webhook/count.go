package webhook

import (
	"github.com/prometheus/client_golang/prometheus"
	"go.uber.org/zap"

	"github.com/ringmaster-agents/ringmaster/api/webhook/core"
	"github.com/ringmaster-agents/ringmaster/protocol/notice"
)

// count is what is counted.
type count struct {
	what core.Event
	kind notice.Kind
}

// tell says in the daemon's log what people must know, and counts. No line has a URL. With mu held.
func (h *Hooks) tell(e *core.Tell) {
	h.counts[count{e.What, e.Kind}]++
	switch e.What {
	case core.Died, core.Lost:
		h.Log.Warn("webhook", zap.String("webhook", e.Hook), zap.String("delivery", string(e.What)), zap.String("kind", string(e.Kind)),
			zap.String("error", e.Error))
	case core.Disabled:
		h.Log.Warn("webhook disabled", zap.String("webhook", e.Hook), zap.String("reason", e.Error))
	case core.Delivered, core.Failed, core.Dropped:
	}
}

var (
	webhooks   = prometheus.NewDesc("ringmaster_webhooks", "Webhooks, by what they do: active, off or disabled.", []string{"state"}, nil)
	deliveries = prometheus.NewDesc("ringmaster_webhook_deliveries_total",
		"What came of deliveries of webhooks, failed tries among them, by kind of notice.", []string{"outcome", "kind"}, nil)
	pending = prometheus.NewDesc("ringmaster_webhook_pending", "Notices that were made and are not delivered.", nil, nil)
	dead    = prometheus.NewDesc("ringmaster_webhook_dead", "Dead deliveries that are kept.", nil, nil)
)

// Describe is for prometheus.
func (h *Hooks) Describe(out chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{webhooks, deliveries, pending, dead} {
		out <- d
	}
}

// Collect is for prometheus.
func (h *Hooks) Collect(out chan<- prometheus.Metric) {
	h.mu.Lock()
	defer h.mu.Unlock()
	states := map[string]float64{"active": 0, "off": 0, "disabled": 0}
	var waiting, died float64
	for _, v := range h.core.Views() {
		waiting += float64(v.Pending)
		died += float64(v.Dead)
		switch {
		case v.Disabled != "":
			states["disabled"]++
		case v.Off:
			states["off"]++
		default:
			states["active"]++
		}
	}
	for state, n := range states {
		out <- prometheus.MustNewConstMetric(webhooks, prometheus.GaugeValue, n, state)
	}
	for c, n := range h.counts {
		out <- prometheus.MustNewConstMetric(deliveries, prometheus.CounterValue, float64(n), string(c.what), string(c.kind))
	}
	out <- prometheus.MustNewConstMetric(pending, prometheus.GaugeValue, waiting)
	out <- prometheus.MustNewConstMetric(dead, prometheus.GaugeValue, died)
}
