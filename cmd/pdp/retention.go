package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"earshot/decisionlog"

	"github.com/rs/zerolog"
)

// pruneEvery is how often a server looks for what has become too old.
const pruneEvery = 10 * time.Minute

// retention returns what the section says; the age is zero where everything is kept.
func (c *logConfig) retention(form *form) (decisionlog.Retention, error) {
	var r decisionlog.Retention
	if c.Retention != "" {
		age, err := time.ParseDuration(c.Retention)
		if err != nil || age <= 0 {
			return r, form.problem("log.retention", "must be a duration such as 4392h; leave it out to keep everything")
		}
		r.Age = age
	}
	for i, h := range c.Holds {
		key := fmt.Sprintf("log.holds[%d]", i)
		if h == (holdConfig{}) {
			return r, form.problem(key, "must state something; leave log.retention out to keep everything")
		}
		hold := decisionlog.Hold{Viewer: h.Viewer, Item: h.Item, Agent: h.Agent, Channel: h.Channel, Tenant: h.Tenant}
		for _, moment := range []struct {
			key, text string
			into      *time.Time
		}{{"from", h.From, &hold.From}, {"to", h.To, &hold.To}} {
			if moment.text == "" {
				continue
			}
			at, err := time.Parse(time.RFC3339, moment.text)
			if err != nil {
				return r, form.problem(key+"."+moment.key, `must be a time such as "2026-01-31T00:00:00Z"`)
			}
			*moment.into = at
		}
		if !hold.From.IsZero() && !hold.To.IsZero() && !hold.From.Before(hold.To) {
			return r, form.problem(key+".to", "must be after from")
		}
		r.Holds = append(r.Holds, hold)
	}
	return r, nil
}

// retain prunes the log now and then until ctx ends.
func retain(ctx context.Context, log *decisionlog.Log, r decisionlog.Retention, logger zerolog.Logger) {
	tick := time.NewTicker(pruneEvery)
	defer tick.Stop()
	for {
		done, err := log.Prune(ctx, r.At(time.Now(), newID))
		switch {
		case err != nil && !errors.Is(err, decisionlog.ErrClosed) && ctx.Err() == nil:
			logger.Error().Err(err).Msg("retention: the log could not be pruned")
		case done.Pruned > 0:
			logger.Info().Uint64("pruned", done.Pruned).Uint64("held", done.Held).Msg("retention")
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}
