package scenarios

// design is another way to keep memory apart. It says of each fact whether it enters the context
// of the model and whether it leaves in the answer.
type design struct {
	name   string
	decide func(s *Scenario) (read, answered []bool)
}

// designs returns the baselines. Each gets what it needs, and is given the benefit of every doubt:
// its store has deleted what is gone, and the silos also read what was said in public.
func designs() []design {
	return []design{
		// Retrieval alone: whatever answers the query enters.
		{"relevance only", recall(func(*Scenario, *Fact) bool { return true })},

		// A store for each user: a turn reads what the one who asks has said, wherever that was, and what was said
		// in public.
		{"per-user silo", recall(func(s *Scenario, f *Fact) bool { return f.Open || f.User == s.Asker })},

		// A store for each channel: a turn reads what was said in its channel, whenever that was, what
		// was derived from nothing else, and what was said in public. What was derived from several
		// channels lies in no store, since none has all of its sources.
		{"per-channel silo", recall(func(s *Scenario, f *Fact) bool { return f.Open || f.Channel == s.Channel })},

		// Whatever answers the query enters. Afterwards a filter takes out of the answer what
		// those who listen must not learn. It reads the same as relevance only, and what is counted
		// is what was read. It never errs, since it knows the ledger; what it
		// cannot do is make the model not have read.
		{"filter after the model", filterAfterwards},
	}
}

// recall is the design that reads what answers the query and lies within reach of the turn. All
// that it reads may leave in the answer.
func recall(reach func(*Scenario, *Fact) bool) func(*Scenario) (read, answered []bool) {
	return func(s *Scenario) (read, answered []bool) {
		read = make([]bool, len(s.Facts))
		for i := range s.Facts {
			f := &s.Facts[i]
			read[i] = f.Relevant() && !f.Gone && reach(s, f)
		}
		return read, read
	}
}

func filterAfterwards(s *Scenario) (read, answered []bool) {
	read, _ = recall(func(*Scenario, *Fact) bool { return true })(s)
	answered = make([]bool, len(read))
	for i := range read {
		answered[i] = read[i] && !s.Facts[i].Forbidden
	}
	return read, answered
}

// baselines counts the designs on the same scenarios. They give no reasons and are asked for none:
// a decision agrees where a fact that answers the query was read if and only if it is permitted.
func baselines(all []*Scenario) []Row {
	var rows []Row
	for _, d := range designs() {
		row := Row{Name: d.name}
		for _, s := range all {
			o := outcome{doubted: s.Ambiguous}
			o.read, o.answered = d.decide(s)
			for i := range s.Facts {
				f := &s.Facts[i]
				if f.Relevant() && o.read[i] == f.Forbidden {
					o.differs = f.ID
				}
			}
			row.add(s, o)
		}
		rows = append(rows, row)
	}
	return rows
}
