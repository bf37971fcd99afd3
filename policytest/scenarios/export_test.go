package scenarios

import (
	"maps"
	"slices"
)

// Check is what Generate holds every scenario to.
func Check(s *Scenario) error { return s.check() }

// Reads reports of each fact whether a baseline reads it; nil where there is no such baseline.
func Reads(baseline string, s *Scenario) []bool {
	for _, d := range designs() {
		if d.name == baseline {
			read, _ := d.decide(s)
			return read
		}
	}
	return nil
}

// LabelsAlone reports whether what a baseline reads wrongly is forbidden for its labels or its agent alone.
func LabelsAlone(baseline string, s *Scenario) bool { return s.labelsAlone(Reads(baseline, s)) }

// Principles are all transmission principles.
func Principles() []Principle { return slices.Sorted(maps.Keys(principles())) }
