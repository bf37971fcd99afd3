package scenarios

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// topic is something people talk about, in private and in the open.
type topic struct {
	kind  string // the information type
	query string

	// secrets and news have all words of the query, and hints all but one. %s is a name, %d a number.
	secrets []string
	news    []string
	hints   []string
}

// topics returns the topics. Every scenario has one.
func topics() []topic {
	return []topic{
		{"pay", "salary review budget",
			[]string{"the salary review gives %s %d percent, outside the budget", "in the salary review %s asked for %d more than the budget has"},
			[]string{"the salary review budget is settled on day %d, says %s", "%s collects forms for the salary review budget, at most %d"},
			[]string{"the review of salary bands is on day %d, says %s", "%s books room %d for the budget review"}},
		{"health", "sick leave surgery",
			[]string{"%s goes on sick leave for surgery, %d weeks", "the sick leave of %s is for surgery on the heart, ward %d"},
			[]string{"how sick leave works, surgery included, is on page %d; ask %s", "%s keeps the sick leave form for surgery, version %d"},
			[]string{"whoever is on sick leave for %d days tells %s", "%s files each leave form, also for surgery, in tray %d"}},
		{"acquisition", "harbour deal price",
			[]string{"%s closes the harbour deal at a price of %d million", "the harbour deal fails for %s if the price passes %d"},
			[]string{"%s says no price of the harbour deal is known before week %d", "the harbour deal team moves to room %d with %s; price lists stay"},
			[]string{"%s gives a tour of the harbour on day %d, no deal needed", "the price list for deal teams is in folder %d, with %s"}},
		{"credentials", "staging database password",
			[]string{"%s set the staging database password to winter%d", "the staging database password of %s is sloop%d"},
			[]string{"the staging database password changes every %d days, %s reminds", "%s answers for the staging database password policy, edition %d"},
			[]string{"the staging database moves to rack %d, %s reminds", "%s teaches how to choose a password for staging, lesson %d"}},
		{"legal", "settlement claim letter",
			[]string{"the settlement of the claim by %s is %d, the letter says", "in a letter %s offers a settlement, claim %d"},
			[]string{"letter templates for any claim or settlement: %s, shelf %d", "%s signs every claim and settlement letter, floor %d"},
			[]string{"letter paper for a claim is on shelf %d, says %s", "%s explains what a settlement letter is, page %d"}},
		{"performance", "probation goals feedback",
			[]string{"%s misses the probation goals, feedback score %d", "feedback on the probation goals of %s: %d of ten"},
			[]string{"probation goals and feedback forms are due on day %d, to %s", "%s explains probation goals and feedback in room %d"},
			[]string{"goals of the team and feedback forms are due on day %d, to %s", "%s explains what probation is and wants feedback, room %d"}},
		{"family", "wedding date guests",
			[]string{"%s keeps the wedding date from guests, it is day %d", "the wedding of %s has %d guests and a secret date"},
			[]string{"the wedding fair opens on date %d, guests of %s are welcome", "%s lends chairs for wedding guests on any date, %d of them"},
			[]string{"the wedding fair opens on date %d, says %s", "%s lends chairs for wedding guests, %d of them"}},
		{"incident", "breach customer records",
			[]string{"the breach took %d customer records of the region of %s", "%s caused the breach, %d customer records"},
			[]string{"a drill for a breach of customer records is on day %d, with %s", "%s wrote what to do in a breach of customer records, page %d"},
			[]string{"customer records are cleaned on day %d, with %s", "%s wrote what to do in a breach of records, page %d"}},
		{"product", "rocket launch date",
			[]string{"%s moves the rocket launch date to day %d", "the rocket launch has a hidden date, day %d, only %s knows"},
			[]string{"the rocket launch date is announced by %s in hall %d", "posters for the rocket launch, date left open, from %s, size %d"},
			[]string{"the launch date of the ferry is announced by %s in hall %d", "posters of the rocket on its launch pad, from %s, size %d"}},
		{"location", "home address move",
			[]string{"%s will move, the home address is number %d Weir Lane", "the home address of %s after the move ends in %d"},
			[]string{"to move a home address in the files see %s, desk %d", "%s updates every home address after a move, form %d"},
			[]string{"to change a home address in the files see %s, desk %d", "%s helps with a move to a home office, form %d"}},
		{"grievance", "complaint manager hearing",
			[]string{"the complaint of %s against the manager has its hearing on day %d", "%s filed complaint %d against a manager, hearing closed"},
			[]string{"how a complaint about a manager gets a hearing: page %d, or ask %s", "%s runs the course on complaint and hearing for a manager, day %d"},
			[]string{"who wants a hearing with a manager reads page %d, or asks %s", "%s runs the course on complaint and hearing, day %d"}},
		{"supplier", "contract tender steel",
			[]string{"%s wins the steel tender, the contract is for %d tons", "the contract of %s undercuts the steel tender by %d"},
			[]string{"the steel tender and contract terms are published by %s, no. %d", "%s opens the steel tender; each contract has %d pages"},
			[]string{"the tender for steel chairs is published by %s, no. %d", "%s keeps each contract and tender, %d pages"}},
	}
}

// idle returns texts that answer no query.
func idle() []string {
	return []string{
		"%s repaired the coffee machine on floor %d",
		"the bicycle shed has %d new hooks, thanks to %s",
		"%s found a blue umbrella, locker %d",
		"lunch is soup, table %d, with %s",
	}
}

// text fills a template with a name and a number.
func text(template, name string, n int) string {
	if strings.Index(template, "%s") < strings.Index(template, "%d") {
		return fmt.Sprintf(template, name, n)
	}
	return fmt.Sprintf(template, n, name)
}

// relevance is how many of a hundred words of the query a fact has, in its text or as its id. It stands
// for the embedding of a real retriever: what it cannot know is who may hear the answer.
func relevance(query string, f *Fact) int {
	has := append(words(f.Text), f.ID)
	asked := words(query)
	found := 0
	for _, word := range asked {
		if slices.Contains(has, word) {
			found++
		}
	}
	return 100 * found / len(asked)
}

// words are the words of a text in lower case. An id is one.
func words(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}
