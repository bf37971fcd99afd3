package scenarios

// Check is what Generate holds every scenario to.
func Check(s *Scenario) error { return s.check() }

// PerChannel reports of each fact whether the per-channel silo reads it.
func PerChannel(s *Scenario) []bool {
	for _, d := range designs() {
		if d.name == "per-channel silo" {
			read, _ := d.decide(s)
			return read
		}
	}
	return nil
}
