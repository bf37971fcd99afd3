package server

import (
	"errors"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"earshot/policy"
	"earshot/server/wire"

	"github.com/labstack/echo/v4"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// metrics counts what the service does, in a registry of its own. No label comes from a caller.
type metrics struct {
	handler    http.Handler
	decisions  *prometheus.CounterVec
	candidates *prometheus.CounterVec
	violations prometheus.Counter
	failures   prometheus.Counter
	logErrors  prometheus.Counter
	requests   *prometheus.HistogramVec
	reasons    labelSet
}

func newMetrics(config Config) (*metrics, error) {
	m := &metrics{
		decisions: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "earshot_decisions_total",
			Help: "Recorded decisions by verdict, hand-offs among them.",
		}, []string{"verdict"}),
		candidates: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "earshot_candidate_reasons_total",
			Help: "Reasons of decided candidates and elements; one can have several.",
		}, []string{"admit", "reason"}),
		violations: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "earshot_invariant_violations_total",
			Help: "Candidates and elements that the policy admitted and the engine's own test refused. Must stay 0.",
		}),
		failures: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "earshot_policy_failures_total",
			Help: "Candidates and elements about which the policy gave no usable answer, which denies them. Must stay 0.",
		}),
		logErrors: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "earshot_log_errors_total",
			Help: "Decisions that were not answered because they were not recorded.",
		}),
		requests: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "earshot_request_duration_seconds",
			Help:    "Duration of requests by route and status.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
		}, []string{"method", "route", "status"}),
		reasons: labelSet{most: 64, other: "other"},
	}
	info := prometheus.NewGaugeVec(prometheus.GaugeOpts{
		Name: "earshot_build_info",
		Help: "The version that runs; always 1.",
	}, []string{"version"})
	info.WithLabelValues(config.Version).Set(1)
	for _, verdict := range wire.Verdicts() {
		m.decisions.WithLabelValues(string(verdict)) // from the start, so that rates are right
	}
	registry := prometheus.NewRegistry()
	var errs []error
	for _, c := range []prometheus.Collector{
		m.decisions, m.candidates, m.violations, m.failures, m.logErrors, m.requests, info,
		collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	} {
		errs = append(errs, registry.Register(c))
	}
	for _, c := range tierCollectors(config) {
		errs = append(errs, registry.Register(c))
	}
	m.handler = promhttp.HandlerFor(registry, promhttp.HandlerOpts{})
	return m, errors.Join(errs...)
}

// tierCollectors read, when they are scraped, how the policy is worked out.
func tierCollectors(config Config) []prometheus.Collector {
	var all []prometheus.Collector
	if tier := config.Tier; tier != nil {
		all = append(all,
			prometheus.NewGaugeFunc(prometheus.GaugeOpts{
				Name: "earshot_policy_compiled",
				Help: "1 where the policy runs as closures, 0 where OPA evaluates all of it.",
			}, func() float64 {
				if tier().Compiled {
					return 1
				}
				return 0
			}),
			prometheus.NewGaugeFunc(prometheus.GaugeOpts{
				Name: "earshot_policy_interpreted_rules",
				Help: "Rules that OPA evaluates although the policy runs as closures.",
			}, func() float64 { return float64(len(tier().Interpreted)) }))
	}
	if differences := config.Differences; differences != nil {
		all = append(all, prometheus.NewCounterFunc(prometheus.CounterOpts{
			Name: "earshot_policy_differences_total",
			Help: "Decisions that OPA and the closures, asked afterwards, did not agree on. Must stay 0.",
		}, func() float64 { return float64(differences()) }))
	}
	return all
}

// scrape handles "GET /metrics".
func (s *Server) scrape(c echo.Context) error {
	s.metrics.handler.ServeHTTP(c.Response(), c.Request())
	return nil
}

// decision counts d and returns how many of its results violated the invariant.
func (m *metrics) decision(d *counted) (violations int) {
	m.decisions.WithLabelValues(string(d.verdict)).Inc()
	m.failures.Add(float64(len(d.failures)))
	for i := range d.results {
		admit := strconv.FormatBool(d.results[i].Admit)
		for _, reason := range d.results[i].Reasons {
			m.candidates.WithLabelValues(admit, m.reasons.label(reasonFamily(reason))).Inc()
			if reason == policy.CodeInvariantViolation {
				violations++
			}
		}
	}
	m.violations.Add(float64(violations))
	return violations
}

// reasonFamily returns the label of a reason. Rules that authors add share one, since they may
// compute their codes.
func reasonFamily(reason string) string {
	if strings.HasPrefix(reason, "local:") {
		return "local"
	}
	return reason
}

func (m *metrics) logError() { m.logErrors.Inc() }

// request counts a request; status is a status code or clientClosed.
func (m *metrics) request(method, route, status string, took time.Duration) {
	m.requests.WithLabelValues(method, route, status).Observe(took.Seconds())
}

// methodLabel returns a method of HTTP, and one word for everything a caller can make up.
func methodLabel(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch,
		http.MethodDelete, http.MethodOptions:
		return method
	default:
		return "other"
	}
}

// labelSet bounds the values of a label, since each one costs memory for good.
type labelSet struct {
	most  int
	other string

	mu   sync.Mutex
	seen map[string]bool // guarded by mu
}

// label returns value, or other where there are too many values already.
func (s *labelSet) label(value string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.seen[value]:
		return value
	case len(s.seen) >= s.most:
		return s.other
	case s.seen == nil:
		s.seen = make(map[string]bool)
	}
	s.seen[value] = true
	return value
}
