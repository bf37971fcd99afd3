package policytest

import (
	"encoding/json"
	"fmt"
)

// answer is what a caller reads back, as far as a case looks at it.
type answer struct {
	Viewers   *Viewers `json:"viewers"`
	Verdict   string   `json:"verdict"`
	Directive string   `json:"directive"`
	Admitted  []string `json:"admitted"`
	Results   []struct {
		Result
		Position int `json:"position"`
	} `json:"results"`
	Counts struct {
		Admitted int `json:"admitted"`
		Denied   int `json:"denied"`
	} `json:"counts"`
}

// readAnswer reads an encoded answer. It fails where the parts that say the same thing in two ways
// contradict each other.
func readAnswer(text []byte) (outcome, error) {
	var a answer
	if err := json.Unmarshal(text, &a); err != nil {
		return outcome{}, err
	}
	out := outcome{Viewers: a.Viewers, Verdict: a.Verdict, Directive: a.Directive}
	admitted := 0
	for i, r := range a.Results {
		if r.Position != i {
			return outcome{}, fmt.Errorf("result %d says it is at position %d", i, r.Position)
		}
		if r.Admit {
			if admitted == len(a.Admitted) || a.Admitted[admitted] != r.ID {
				return outcome{}, fmt.Errorf("result %d admits %q, the list of admitted ids does not", i, r.ID)
			}
			admitted++
		}
		out.Results = append(out.Results, r.Result)
	}
	if admitted != len(a.Admitted) || admitted != a.Counts.Admitted || len(a.Results)-admitted != a.Counts.Denied {
		return outcome{}, fmt.Errorf("%d results admit, the answer lists %d and counts %d admitted and %d denied",
			admitted, len(a.Admitted), a.Counts.Admitted, a.Counts.Denied)
	}
	return out, nil
}
