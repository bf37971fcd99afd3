package scenarios

import (
	"time"

	"earshot/policy"
	"earshot/policytest/world"
)

// Seed is the seed of the published suite.
const Seed = 42617

// Now returns the moment at which every scenario asks. A decision point that runs them must have
// its clock there.
func Now() time.Time { return time.Date(2026, 11, 30, 20, 0, 1, 0, time.UTC) }

// Scenario is one question in one small world.
type Scenario struct {
	// Name is the family and a number within it, such as membership drift 3.
	Name   string
	Family string

	// Ambiguous is set where it is not certain who listens.
	Ambiguous bool

	// Opaque is set where what is denied must leave no trace: without it, all else is answered alike.
	Opaque bool

	Flow Flow

	// Query is what is asked, and Asker by whom. Asker may be a word that identifies nobody.
	Query string
	Asker string

	// Channel is where the answer will be read.
	Channel string

	// Facts has one element for each candidate of Request, in order.
	Facts []Fact

	// Story is what World was told.
	Story   world.Story
	World   *world.World
	Request policy.Request
}

// Flow is the flow that must not happen, by the five parameters of contextual integrity.
type Flow struct {
	Subject   string // whom the information is about
	Sender    string // who gave it
	Recipient string // who would learn it: one of those who listen, the agent, or Unknown
	Type      string // what sort of information it is
	Principle string // under what terms it was given
}

// Unknown is the recipient where it is not certain who listens.
const Unknown = "somebody who is not known"

// Fact is one memory item, with what a baseline needs to decide about it.
type Fact struct {
	ID   string
	Text string

	// User said it, or had it made. The text is about User.
	User string

	// Sender gave it: User, the agent that passed it on or derived it. Empty where nobody knows any
	// more.
	Sender string

	// Agent keeps it.
	Agent string

	// Channel is where it was said. What was derived lies in the channel of all its sources that are
	// not open; empty where they are of several. Empty for what an older store brought in.
	Channel string

	// Open is set where it was said in public, or derived from nothing else.
	Open bool

	// Gone is set where it was erased, edited or has expired: every design has deleted it.
	Gone bool

	// Forbidden is set where those who listen must not learn it.
	Forbidden bool

	// Relevance is how many of a hundred words of the query the text has.
	Relevance int
}

// threshold is the relevance from which retrieval takes a fact for an answer to the query.
const threshold = 50

// Relevant reports whether retrieval takes the fact for an answer to the query.
func (f *Fact) Relevant() bool { return f.Relevance >= threshold }
