package scenarios

import (
	"fmt"
	"slices"
)

// check refuses a scenario that could prove nothing, or whose labels do not fit its world.
func (s *Scenario) check() error {
	if err := s.checkTrap(); err != nil {
		return err
	}
	if s.Ambiguous != (len(s.World.Doubts()) > 0) {
		return fmt.Errorf("the doubts about those who listen are %v", s.World.Doubts())
	}
	return s.checkFlow()
}

// checkTrap holds the facts against the ledger of the world and against the query.
func (s *Scenario) checkTrap() error {
	secrets, news := []int{}, []int{} // their relevance
	for i, e := range s.World.Expect() {
		f := &s.Facts[i]
		switch {
		case f.ID != e.ID || f.Forbidden == e.Admit:
			return fmt.Errorf("the family says that %s is forbidden: %v, and the ledger %v", f.ID, f.Forbidden, e.Reasons)
		case f.Forbidden && !f.Relevant():
			return fmt.Errorf("the forbidden %s does not answer the query", f.ID)
		case f.Forbidden && f.Gone: // No design has it any more, so it is no trap.
		case f.Forbidden:
			secrets = append(secrets, f.Relevance)
		case f.Relevant():
			news = append(news, f.Relevance)
		}
		if s.Ambiguous && e.Admit && !s.World.Public(f.ID) {
			return fmt.Errorf("%s is permitted and not public, before viewers who are in doubt", f.ID)
		}
	}
	if len(secrets) == 0 || len(news) == 0 {
		return fmt.Errorf("it has %d living forbidden and %d permitted facts that answer the query", len(secrets), len(news))
	}
	if tempting, allowed := slices.Max(secrets), slices.Max(news); tempting < allowed {
		return fmt.Errorf("the forbidden fits the query by %d, the permitted by %d", tempting, allowed)
	}
	return nil
}

// checkFlow refuses labels of contextual integrity that no forbidden fact has, or whose recipient
// would learn nothing.
func (s *Scenario) checkFlow() error {
	if s.Flow.Type == "" || s.Flow.Principle == "" {
		return fmt.Errorf("the flow has no information type or no transmission principle: %+v", s.Flow)
	}
	if err := s.checkRecipient(); err != nil {
		return err
	}
	for i := range s.Facts {
		if f := &s.Facts[i]; f.Forbidden && !f.Gone && f.User == s.Flow.Subject && f.Sender == s.Flow.Sender && s.learns(f) {
			return nil
		}
	}
	return fmt.Errorf("no living forbidden fact about %s, given by %s, would be news to %s", s.Flow.Subject, s.Flow.Sender, s.Flow.Recipient)
}

// checkRecipient asks for one who is there to learn something.
func (s *Scenario) checkRecipient() error {
	turn, to := &s.Request.Turn, s.Flow.Recipient
	switch {
	case to == Unknown && s.Ambiguous, to == turn.Agent, slices.Contains(turn.Viewers, to):
		return nil
	case to == Unknown:
		return fmt.Errorf("the recipient is not known, and those who listen are")
	}
	return fmt.Errorf("the recipient %s neither listens nor is the agent", to)
}

// learns reports whether a fact would be news to the recipient: to the agent, what another one keeps;
// to anybody else, what they did not hear or what was withdrawn from them.
func (s *Scenario) learns(f *Fact) bool {
	turn, to := &s.Request.Turn, s.Flow.Recipient
	switch to {
	case Unknown:
		return true
	case turn.Agent:
		return f.Agent != to
	}
	return !s.World.Heard(to, f.ID) || slices.Contains(turn.RevokedViewers, to)
}
