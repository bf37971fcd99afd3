package world

import (
	"strconv"
	"time"
)

// checkInstants refuses moments outside the years 1970 to 9999, as the wire contract does. The zero
// time stands for no moment at all.
func (w *World) checkInstants() error {
	if !inYears(w.now) {
		return impossible(nil, "the turn is at %s, outside the years 1970 to 9999", w.now.Format(time.RFC3339))
	}
	check := func(at time.Time, place ...string) error {
		if at.IsZero() || inYears(at) {
			return nil
		}
		return impossible(place, "%s is outside the years 1970 to 9999", at.Format(time.RFC3339))
	}
	for i := range w.story.Happened {
		e := &w.story.Happened[i]
		if err := check(e.At, "happened", strconv.Itoa(i), "at"); err != nil {
			return err
		}
		if err := check(e.Until, "happened", strconv.Itoa(i), "until"); err != nil {
			return err
		}
	}
	for i := range w.story.HereNow.Readings {
		if err := check(w.story.HereNow.Readings[i].At, "here_now", "readings", strconv.Itoa(i), "at"); err != nil {
			return err
		}
	}
	return nil
}

func inYears(at time.Time) bool {
	year := at.UTC().Year()
	return 1970 <= year && year <= 9999
}
