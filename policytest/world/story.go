package world

import "time"

// Story is what a small world consists of and what happened in it.
type Story struct {
	// Tenant is where the people, the channels and the turn are at home; empty in a single-tenant
	// installation.
	Tenant string `yaml:"tenant,omitempty"`

	// People are at home in the tenant. Bots that read along are people too.
	People []string `yaml:"people,omitempty,flow"`

	// Guests are people from outside the tenant.
	Guests []string `yaml:"guests,omitempty,flow"`

	// Agents keep the memory. The first one introduces what is said where an event names no other.
	Agents []string `yaml:"agents,omitempty,flow"`

	// Channels by their names. A thread is a channel with members of its own.
	Channels map[string]Channel `yaml:"channels,omitempty"`

	// Happened are the events, in order.
	Happened []Event `yaml:"happened,omitempty"`

	// HereNow is the turn.
	HereNow Here `yaml:"here_now"`
}

// The kinds of channel.
const (
	// Direct is one person with the agent, or two people.
	Direct = "direct"

	// Group is whoever joined.
	Group = "group"

	// WholeTenant is everybody at home in the channel's tenant.
	WholeTenant = "tenant"

	// Public is everybody.
	Public = "public"
)

// Channel is a place where people speak.
type Channel struct {
	Kind string `yaml:"kind,omitempty"`

	// Members are those who are in it when the story begins.
	Members []string `yaml:"members,omitempty,flow"`

	// Tenant is the channel's where it is not that of the story.
	Tenant string `yaml:"tenant,omitempty"`
}

// Event is one thing that happened: who did what. Exactly one of the verbs is set: Joins, Leaves,
// LosesAccess, Says, Derives, Edits, Erases or Imports. A person derives from, edits and erases only
// what they heard. An agent keeps the memory and may do so with all of it.
type Event struct {
	// At is the moment; zero is the moment of the event before. A story without any begins a day
	// before the turn. Time does not run backwards.
	At time.Time `yaml:"at,omitempty"`

	// Who is a person or an agent.
	Who string `yaml:"who,omitempty"`

	// Joins and Leaves name a channel.
	Joins  string `yaml:"joins,omitempty"`
	Leaves string `yaml:"leaves,omitempty"`

	// LosesAccess names a channel that Who leaves and whose past is withdrawn from Who: Who is in
	// nobody's audience any more.
	LosesAccess string `yaml:"loses_access_to,omitempty"`

	// Says is the id of an item that was said In a channel.
	Says string `yaml:"says,omitempty"`
	In   string `yaml:"in,omitempty"`

	// Derives is the id of an item that was made From others.
	Derives string   `yaml:"derives,omitempty"`
	From    []string `yaml:"from,omitempty,flow"`

	// Edits is the id of a said item that was replaced. Into is the id of the new text, which is
	// heard by those who are in the channel then. It has the kind, the agent, the confidentiality and
	// the expiry of the old one; an edit may mark it as confidential or let it expire sooner.
	Edits string `yaml:"edits,omitempty"`
	Into  string `yaml:"into,omitempty"`

	// Erases is the id of an item that is gone.
	Erases string `yaml:"erases,omitempty"`

	// Imports is the id of an item that came out of an older store, which did not keep who heard it. So
	// Who is an agent.
	Imports string `yaml:"imports,omitempty"`

	// Labels are those of the item that the event makes.
	Labels `yaml:",inline"`
}

// Labels are what an item carries besides who heard it.
type Labels struct {
	// Kind is message for what was said, summary for what was derived, document for what was
	// imported, or another kind of the wire contract.
	Kind string `yaml:"kind,omitempty"`

	// Agent introduced the item: by default Who, where that is an agent, or the first agent.
	Agent string `yaml:"agent,omitempty"`

	Shared       bool  `yaml:"shared,omitempty"`
	Confidential *bool `yaml:"confidential,omitempty"`

	// Until is when the item expires; zero is never.
	Until time.Time `yaml:"until,omitempty"`

	// Lie is how the memory system lies about the item; empty where it is honest.
	Lie Lie `yaml:"lie,omitempty"`
}

// Names are a list that can be left out: nil says nothing, and an empty one names nobody.
type Names []string

// IsZero reports whether the list was left out.
func (n Names) IsZero() bool { return n == nil }

// Here is the turn: who asks whom, and what the platform knows of those who listen.
type Here struct {
	// Agent is the one whose context is assembled; empty is the first agent.
	Agent string `yaml:"agent,omitempty"`

	// Channel is where the answer will be read.
	Channel string `yaml:"channel,omitempty"`

	// Viewers are those whom the platform names. Nil are the members of the channel now.
	Viewers Names `yaml:"viewers,omitempty,flow"`

	// ViewersUnknown is set where the platform cannot name them.
	ViewersUnknown bool `yaml:"viewers_unknown,omitempty"`

	// Basis is where Viewers comes from if that is not the platform, such as model.
	Basis string `yaml:"basis,omitempty"`

	// Outsiders are named as coming from outside the tenant. Nil are the guests among the viewers.
	Outsiders Names `yaml:"outsiders,omitempty,flow"`

	// Readings are further accounts of who is in the room.
	Readings []Reading `yaml:"readings,omitempty"`

	// Authorizes are the agents from which Agent may inherit. AllowsConfidential and
	// AllowsUnattributed switch the two guards of inheritance off.
	Authorizes         []string `yaml:"authorizes,omitempty,flow"`
	AllowsConfidential bool     `yaml:"allows_confidential,omitempty"`
	AllowsUnattributed bool     `yaml:"allows_unattributed,omitempty"`

	// Recalls are the items that retrieval finds, in order. Nil are all, in the order in which they
	// came into the world.
	Recalls Names `yaml:"recalls,omitempty,flow"`
}

// Reading is one account of who is in the room.
type Reading struct {
	Source string `yaml:"source,omitempty"`

	// Sees are those whom it names. Nil are the members of the channel now.
	Sees Names `yaml:"sees,omitempty,flow"`

	// CutShort is set where the account stopped before its end.
	CutShort bool `yaml:"cut_short,omitempty"`

	// At is when it was made; zero is now.
	At time.Time `yaml:"at,omitempty"`
}
