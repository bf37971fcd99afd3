package policytest_test

import (
	"errors"
	"testing"
)

// TestSmallWorldsShowMistakes holds wrong Deciders against the reading in the smallest of rooms.
func TestSmallWorldsShowMistakes(t *testing.T) {
	for name, mistake := range map[string]func(*question){
		"any overlap": anyOverlap, "every member is here": everyMemberIsHere, "exactly these": exactlyThese,
		"without sources": withoutSources, "the first viewer": firstViewer, "the operator looks on": operatorLooksOn,
	} {
		t.Run(name, func(t *testing.T) {
			for _, q := range smallRooms() {
				err := q.compare(t.Context(), misheard(mistake))
				if errors.Is(err, errBroken) {
					return
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			t.Error("nothing shows the mistake")
		})
	}
}

// smallRooms are the questions of the small worlds in which the same two of the four people listen.
func smallRooms() []question {
	var s sweep
	viewers := crowd(0b1100)
	q := smallTurn(agents[0], tenants[0])
	q.enterSmall(&viewers)
	s.enter(q)
	s.audiences(viewers)
	return s.questions(namings[0])
}
