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
