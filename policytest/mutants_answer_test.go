package policytest_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"earshot/policy"
	"earshot/policytest"
	"earshot/policytest/reading"
)

// engineAnswers change the answer of the decision point on its way.
func engineAnswers() []mutant {
	return []mutant{
		decidesThen("one malformed candidate denies the whole request", "types/a_fault_of_one", allOrNothing),
		decidesThen("the first error ends the batch", "types/a_fault_of_one", func(_ question, a *reading.Answer) {
			if at := slices.IndexFunc(a.Results, isMalformed); at >= 0 {
				for i := range a.Results[at:] {
					a.Results[at+i] = denied(a.Results[at+i].ID, policy.CodeMalformed)
				}
			}
		}),
		decidesThen("a malformed candidate lets the others in", "types/a_fault_of_one", func(_ question, a *reading.Answer) {
			if slices.ContainsFunc(a.Results, isMalformed) {
				admitAll(a, func(i int) bool { return !isMalformed(a.Results[i]) })
			}
		}),
		decidesThen("missing viewers admit", "null_and_default", func(q question, a *reading.Answer) {
			admitAll(a, func(int) bool { return q.Request.Turn.Viewers == nil })
		}),
		decidesThen("empty viewers admit", "empty_sets", func(q question, a *reading.Answer) {
			admitAll(a, func(int) bool { return q.Request.Turn.Viewers != nil && len(q.Request.Turn.Viewers) == 0 })
		}),
		decidesThen("an administrator sees everything", "admins", func(q question, a *reading.Answer) {
			admitAll(a, func(int) bool { return slices.Contains(q.Request.Turn.Viewers, "user:admin") })
		}),
		decidesThen("attributes of the turn open everything", "admins", func(q question, a *reading.Answer) {
			admitAll(a, func(int) bool { return strings.Contains(string(q.Request.Turn.Attributes), "admin") })
		}),
		decidesThen("reasons stop at the first", "results/all_reasons", func(_ question, a *reading.Answer) {
			for i := range a.Results {
				a.Results[i].Reasons = a.Results[i].Reasons[:1]
			}
		}),
		decidesThen("obligations are dropped on the way", "cross_agent/an_authorised_agents", func(_ question, a *reading.Answer) {
			for i := range a.Results {
				a.Results[i].Obligations = nil
			}
		}),
		decidesThen("every admission carries an obligation", "cross_agent/the_agents_own_item", func(_ question, a *reading.Answer) {
			for i := range a.Results {
				if a.Results[i].Admit {
					a.Results[i].Obligations = []string{"label_source"}
				}
			}
		}),
		decidesThen("denied candidates are left out", "results", func(_ question, a *reading.Answer) {
			a.Results = slices.DeleteFunc(a.Results, func(r policy.Result) bool { return !r.Admit })
		}),
		decidesThen("results come with the admitted first", "results", func(_ question, a *reading.Answer) {
			slices.SortStableFunc(a.Results, func(x, y policy.Result) int {
				return strings.Compare(order(x), order(y))
			})
		}),
		decidesThen("the first twenty are decided", "results/every_candidate", func(_ question, a *reading.Answer) {
			a.Results = a.Results[:min(20, len(a.Results))]
		}),
		decidesThen("the rest of a long list is let through", "results/every_candidate", func(_ question, a *reading.Answer) {
			admitAll(a, func(i int) bool { return i >= 24 })
		}),
		decidesThen("after a denial everything is denied", "results", func(_ question, a *reading.Answer) {
			if at := slices.IndexFunc(a.Results, func(r policy.Result) bool { return !r.Admit }); at >= 0 {
				for i := range a.Results[at:] {
					a.Results[at+i] = denied(a.Results[at+i].ID, a.Results[at].Reasons[0])
				}
			}
		}),
		decidesThen("what stands beside something public is public", "", func(_ question, a *reading.Answer) {
			for i := 1; i < len(a.Results); i++ {
				if slices.Contains(a.Results[i-1].Reasons, "public") {
					a.Results[i].Admit, a.Results[i].Reasons = true, []string{"public"}
				}
			}
		}),
		decidesThen("a bleed denies what is in order", "cross_agent", func(_ question, a *reading.Answer) {
			if a.Verdict == policy.BleedDetected {
				for i := range a.Results {
					a.Results[i] = denied(a.Results[i].ID, "confidential_from_other_agent")
				}
			}
		}),
		decidesThen("what was denied did not bleed", "cross_agent", func(_ question, a *reading.Answer) {
			if a.Verdict == policy.BleedDetected {
				a.Verdict = policy.IsolatedContext
			}
		}),
		decidesThen("whatever of another agent is denied has bled", "cross_agent", func(q question, a *reading.Answer) {
			for i, r := range a.Results {
				if of := q.Request.Candidates[i].Agent; !r.Admit && of != "" && of != q.Request.Turn.Agent && a.Verdict != policy.UnattributedContext {
					a.Verdict = policy.BleedDetected
				}
			}
		}),
		decidesThen("doubts are not reported where nothing was at stake", "null_and_default", func(_ question, a *reading.Answer) {
			if !slices.ContainsFunc(a.Results, func(r policy.Result) bool { return !r.Admit }) {
				a.Viewers.Known, a.Viewers.Reasons = true, nil
			}
		}),
		decides("the same id is decided once, the first wins", "derived/the_same_id", sameID(true)),
		decides("the same id is decided once, the last wins", "derived/the_same_id", sameID(false)),
		decides("results are cached by id across viewers", "", cachedBy(func(q question) string { return q.Request.Candidates[0].ID })),
		decides("results are cached by the channel", "", cachedBy(func(q question) string {
			return q.Request.Turn.Channel + " " + q.Request.Candidates[0].ID
		})),
		decides("results are cached by viewers and id, whatever the labels are now", "", cachedBy(func(q question) string {
			return policy.ViewersDigest(q.Request.Turn.Viewers) + " " + q.Request.Candidates[0].ID
		})),
		decides("results are cached by all that was asked and not by when", "", cachedBy(func(q question) string {
			q.Now = time.Time{}
			return q.String()
		})),
	}
}

// admitAll admits the results at the positions that a mistake is about.
func admitAll(a *reading.Answer, about func(int) bool) {
	for i := range a.Results {
		if about(i) && !a.Results[i].Admit {
			a.Results[i].Admit, a.Results[i].Reasons = true, []string{"audience_covers_viewers"}
		}
	}
}

func order(r policy.Result) string {
	if r.Admit {
		return "admitted"
	}
	return "denied"
}

// sameID gives all candidates of an id the result of the first or of the last.
func sameID(first bool) func(policytest.Decider) policytest.Decider {
	return func(d policytest.Decider) policytest.Decider {
		return answering(d, func(_ question, a *reading.Answer) {
			of := map[string]policy.Result{}
			for _, r := range a.Results {
				if _, known := of[r.ID]; !known || !first {
					of[r.ID] = r
				}
			}
			for i := range a.Results {
				a.Results[i] = of[a.Results[i].ID]
			}
		})
	}
}

// cachedBy remembers results for good, by a key that leaves out what they depend on. The key is of a
// question about one candidate.
func cachedBy(key func(question) string) func(policytest.Decider) policytest.Decider {
	return func(decide policytest.Decider) policytest.Decider {
		var mu sync.Mutex
		cache := map[string]policy.Result{}
		return func(ctx context.Context, now time.Time, s reading.Settings, facts policy.Facts, req policy.Request) (reading.Answer, error) {
			return answering(decide, func(q question, a *reading.Answer) {
				mu.Lock()
				defer mu.Unlock()
				for i := range a.Results {
					k := key(q.at(i))
					if known, ok := cache[k]; ok {
						a.Results[i] = known
					} else {
						cache[k] = a.Results[i]
					}
				}
			})(ctx, now, s, facts, req)
		}
	}
}
