package policytest_test

import (
	"fmt"
	"slices"
	"strings"

	"earshot/policytest"
	"earshot/policytest/reading"
)

// wantOf returns an answer in the words of a case.
func wantOf(answer reading.Answer) policytest.Want {
	want := policytest.Want{
		Viewers: &policytest.Viewers{Status: answer.Viewers.Status(), Reasons: answer.Viewers.Reasons},
		Verdict: string(answer.Verdict),
	}
	for _, r := range answer.Results {
		want.Results = append(want.Results, policytest.Result(r))
	}
	return want
}

// tellApart says in a sentence in what an answer is not the wanted one, the gravest difference first;
// empty where it is.
func tellApart(want, got policytest.Want) string {
	switch {
	case want.Refused != nil && got.Refused != nil:
		if *want.Refused != *got.Refused {
			return fmt.Sprintf("the request is %s, not %s", refusalText(got.Refused), refusalText(want.Refused))
		}
		return ""
	case want.Refused != nil:
		return fmt.Sprintf("the request is decided, not %s", refusalText(want.Refused))
	case got.Refused != nil:
		return fmt.Sprintf("the request is %s, not decided", refusalText(got.Refused))
	case len(want.Results) != len(got.Results):
		return fmt.Sprintf("%d candidates have %d results", len(want.Results), len(got.Results))
	}
	// What is admitted and should not be comes before what is lost, and that before what is only said
	// otherwise.
	for _, differ := range []func(want, got policytest.Result) bool{
		func(want, got policytest.Result) bool { return got.Admit && !want.Admit },
		func(want, got policytest.Result) bool { return got.Admit != want.Admit },
		func(want, got policytest.Result) bool {
			return resultText(want) != resultText(got) || want.ID != got.ID
		},
	} {
		for i := range want.Results {
			if differ(want.Results[i], got.Results[i]) {
				return fmt.Sprintf("%s is %s, not %s", got.Results[i].ID, resultText(got.Results[i]), resultText(want.Results[i]))
			}
		}
	}
	if want.Viewers.Status != got.Viewers.Status || !slices.Equal(want.Viewers.Reasons, got.Viewers.Reasons) {
		return fmt.Sprintf("the viewers are %s%v, not %s%v", got.Viewers.Status, got.Viewers.Reasons, want.Viewers.Status, want.Viewers.Reasons)
	}
	if want.Verdict != got.Verdict {
		return fmt.Sprintf("the verdict is %s, not %s", got.Verdict, want.Verdict)
	}
	return ""
}

func refusalText(r *policytest.Refusal) string {
	return strings.TrimSpace(fmt.Sprintf("refused as %s %s", r.Code, r.Pointer))
}

func resultText(r policytest.Result) string {
	text := "denied for "
	if r.Admit {
		text = "admitted for "
	}
	text += strings.Join(r.Reasons, ", ")
	if len(r.Obligations) > 0 {
		text += " with " + strings.Join(r.Obligations, ", ")
	}
	return text
}

func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}
