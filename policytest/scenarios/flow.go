package scenarios

import (
	"fmt"
	"slices"
	"strings"
)

// Flow is the flow that must not happen, of one fact, by the five parameters of contextual integrity.
type Flow struct {
	Fact      string // the id
	Subject   string // whom the information is about
	Sender    string // who gave it: who said it, or the agent that derived it
	Recipient string // who would learn it: one of those who listen, the agent, or Unknown
	Type      string // what sort of information it is
	Principle Principle
}

// Unknown is the recipient where it is not certain who listens.
const Unknown = "somebody who is not known"

// secret says which flow must not happen: that of a forbidden fact to a recipient, against the principle
// under which it was given. The other labels are those of the fact.
func (d *draft) secret(id, recipient string, principle Principle) {
	f := d.facts[id]
	d.flow = Flow{Fact: id, Subject: f.User, Recipient: recipient, Type: f.Type, Principle: principle}
	for _, e := range d.story.Happened {
		if e.Says == id || e.Derives == id {
			d.flow.Sender = e.Who
		}
	}
}

// checkFlow refuses labels of contextual integrity that the fact does not have, and a flow that would not
// be one: of nothing forbidden, to nobody who is there, or of what is no news.
func (s *Scenario) checkFlow() error {
	f, err := s.flowing()
	if err != nil {
		return err
	}
	if err := s.checkRecipient(); err != nil {
		return err
	}
	name := display(s.Flow.Subject)
	breaks, known := principles()[s.Flow.Principle]
	switch {
	case s.Flow.Subject != f.fact.User || !slices.Contains(words(f.fact.Text), name):
		return fmt.Errorf("the text of %s is not about the subject %s: %s", f.fact.ID, s.Flow.Subject, f.fact.Text)
	case s.Flow.Sender != f.event.Who:
		return fmt.Errorf("%s gave %s, and the sender is %s", f.event.Who, f.fact.ID, s.Flow.Sender)
	case s.Flow.Type != f.fact.Type || !isType(s.Flow.Type, f.fact.Text):
		return fmt.Errorf("%s is information of the type %q, and the label says %q: %s", f.fact.ID, f.fact.Type, s.Flow.Type, f.fact.Text)
	case !known:
		return fmt.Errorf("there is no transmission principle %q", s.Flow.Principle)
	case !breaks(f):
		return fmt.Errorf("that %s reaches %s does not break the principle %q", f.fact.ID, s.Flow.Recipient, s.Flow.Principle)
	case !s.learns(f.fact):
		return fmt.Errorf("%s would be no news to %s", f.fact.ID, s.Flow.Recipient)
	}
	return nil
}

// flowing returns the fact of the flow with the event in which it was given. It is forbidden, and living.
func (s *Scenario) flowing() (flowing, error) {
	at := slices.IndexFunc(s.Facts, func(f Fact) bool { return f.ID == s.Flow.Fact })
	if at < 0 || !s.Facts[at].Forbidden || s.Facts[at].Gone {
		return flowing{}, fmt.Errorf("the flow is of %q, which is no living forbidden fact", s.Flow.Fact)
	}
	for i := range s.Story.Happened {
		if e := &s.Story.Happened[i]; e.Says == s.Flow.Fact || e.Derives == s.Flow.Fact {
			return flowing{Scenario: s, fact: &s.Facts[at], event: e, at: i}, nil
		}
	}
	return flowing{}, fmt.Errorf("nobody said or derived %s", s.Flow.Fact)
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

// isType reports whether a text is information of a type: it has the words of a topic of that type.
func isType(kind, text string) bool {
	return slices.ContainsFunc(topics(), func(t topic) bool {
		return t.kind == kind && !slices.ContainsFunc(strings.Fields(t.query), func(word string) bool { return !slices.Contains(words(text), word) })
	})
}
