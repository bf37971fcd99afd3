package scenarios

// Counts are what came out over a number of scenarios, in scenarios.
type Counts struct {
	Scenarios int `json:"scenarios"`

	// ForbiddenAdmitted are those in which at least one forbidden fact was admitted.
	ForbiddenAdmitted int `json:"forbidden_admitted"`

	// DecisionsAgreed are those in which every item was decided as the ledger expects.
	DecisionsAgreed int `json:"decisions_agreed"`

	// PermittedKept are those in which every permitted fact that answers the query was kept.
	PermittedKept int `json:"permitted_kept"`

	// FailedClosed are the ambiguous ones that were decided with nothing but public facts.
	FailedClosed int `json:"failed_closed"`

	// Assertions are all that held.
	Assertions int `json:"assertions"`

	// Ambiguous are those that must fail closed.
	Ambiguous int `json:"-"`
}

// All returns how many assertions there are.
func (c *Counts) All() int { return 3*c.Scenarios + c.Ambiguous }

// Row is the counts of one family or of one design.
type Row struct {
	Name string `json:"name"`
	Counts
}

// Report is the outcome of a run. Its JSON form is what pdp scenarios --json prints.
type Report struct {
	Seed uint64 `json:"seed"`
	Counts

	// Families are in the order of the suite.
	Families []Row `json:"families"`

	// Baselines are other designs on the same scenarios.
	Baselines []Row `json:"baselines"`

	// Misses say in a sentence each which assertion of the decision point did not hold.
	Misses []string `json:"-"`
}

// Passed reports whether every assertion held.
func (r *Report) Passed() bool { return r.Scenarios > 0 && r.Assertions == r.All() }

// outcome is what became of one scenario.
type outcome struct {
	// read has by fact whether it entered the context, answered whether it left in the answer.
	read, answered []bool

	// differs says in what the decisions are not those that the ledger expects; empty where they
	// are.
	differs string

	// doubted is set where the design noticed that it is not certain who listens. Designs that
	// cannot notice fail closed where they read nothing but public facts.
	doubted bool
}

// add counts the outcome of one scenario and returns what did not hold.
func (c *Counts) add(s *Scenario, o outcome) []string {
	leaked, kept, closed := "", true, o.doubted
	for i := range s.Facts {
		f := &s.Facts[i]
		if f.Forbidden && o.read[i] {
			leaked = f.ID
		}
		if !f.Forbidden && f.Relevant() && !o.answered[i] {
			kept = false
		}
		if o.read[i] && !s.World.Public(f.ID) {
			closed = false
		}
	}
	var missed []string
	count := func(holds bool, counter *int, problem string) {
		if holds {
			*counter++
			c.Assertions++
			return
		}
		missed = append(missed, s.Name+": "+problem)
	}
	c.Scenarios++
	silent := 0
	count(leaked == "", &silent, "the forbidden "+leaked+" was admitted")
	c.ForbiddenAdmitted += 1 - silent
	count(o.differs == "", &c.DecisionsAgreed, o.differs)
	count(kept, &c.PermittedKept, "a permitted fact was lost")
	if s.Ambiguous {
		c.Ambiguous++
		count(closed, &c.FailedClosed, "it did not fail closed")
	}
	return missed
}
