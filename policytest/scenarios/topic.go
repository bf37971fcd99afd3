package scenarios

import (
	"fmt"
	"strings"
	"unicode"
)

// topic is something people talk about, in private and in the open.
type topic struct {
	kind  string // the information type
	query string

	// secrets and news both have the words of the query. %s is a name, %d a number.
	secrets []string
	news    []string
}

// topics returns the topics. Every scenario has one.
func topics() []topic {
	return []topic{
		{"pay", "salary review budget",
			[]string{"the salary review gives %s %d percent, outside the budget", "in the salary review %s asked for %d more than the budget has"},
			[]string{"the salary review budget is settled on day %d, says %s", "%s collects forms for the salary review budget, at most %d"}},
		{"health", "sick leave surgery",
			[]string{"%s goes on sick leave for surgery, %d weeks", "the sick leave of %s is for surgery on the heart, ward %d"},
			[]string{"how sick leave works, surgery included, is on page %d; ask %s", "%s keeps the sick leave form for surgery, version %d"}},
		{"acquisition", "harbour deal price",
			[]string{"%s closes the harbour deal at a price of %d million", "the harbour deal fails for %s if the price passes %d"},
			[]string{"%s says no price of the harbour deal is known before week %d", "the harbour deal team moves to room %d with %s; price lists stay"}},
		{"credentials", "staging database password",
			[]string{"%s set the staging database password to winter%d", "the staging database password of %s is sloop%d"},
			[]string{"the staging database password changes every %d days, %s reminds", "%s answers for the staging database password policy, edition %d"}},
		{"legal", "settlement claim letter",
			[]string{"the settlement of the claim by %s is %d, the letter says", "in a letter %s offers a settlement, claim %d"},
			[]string{"letter templates for any claim or settlement: %s, shelf %d", "%s signs every claim and settlement letter, floor %d"}},
		{"performance", "probation goals feedback",
			[]string{"%s misses the probation goals, feedback score %d", "feedback on the probation goals of %s: %d of ten"},
			[]string{"probation goals and feedback forms are due on day %d, to %s", "%s explains probation goals and feedback in room %d"}},
		{"family", "wedding date guests",
			[]string{"%s keeps the wedding date from guests, it is day %d", "the wedding of %s has %d guests and a secret date"},
			[]string{"the wedding fair opens on date %d, guests of %s are welcome", "%s lends chairs for wedding guests on any date, %d of them"}},
		{"incident", "breach customer records",
			[]string{"the breach took %d customer records of the region of %s", "%s caused the breach, %d customer records"},
			[]string{"a drill for a breach of customer records is on day %d, with %s", "%s wrote what to do in a breach of customer records, page %d"}},
		{"product", "rocket launch date",
			[]string{"%s moves the rocket launch date to day %d", "the rocket launch has a hidden date, day %d, only %s knows"},
			[]string{"the rocket launch date is announced by %s in hall %d", "posters for the rocket launch, date left open, from %s, size %d"}},
		{"location", "home address move",
			[]string{"%s will move, the home address is number %d Weir Lane", "the home address of %s after the move ends in %d"},
			[]string{"to move a home address in the files see %s, desk %d", "%s updates every home address after a move, form %d"}},
		{"grievance", "complaint manager hearing",
			[]string{"the complaint of %s against the manager has its hearing on day %d", "%s filed complaint %d against a manager, hearing closed"},
			[]string{"how a complaint about a manager gets a hearing: page %d, or ask %s", "%s runs the course on complaint and hearing for a manager, day %d"}},
		{"supplier", "contract tender steel",
			[]string{"%s wins the steel tender, the contract is for %d tons", "the contract of %s undercuts the steel tender by %d"},
			[]string{"the steel tender and contract terms are published by %s, no. %d", "%s opens the steel tender; each contract has %d pages"}},
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

// relevance is how many of a hundred words of the query a text has. It stands for the embedding of
// a real retriever: what it cannot know is who may hear the answer.
func relevance(query, text string) int {
	has := map[string]bool{}
	for _, word := range words(text) {
		has[word] = true
	}
	asked := words(query)
	found := 0
	for _, word := range asked {
		if has[word] {
			found++
		}
	}
	return 100 * found / len(asked)
}

func words(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}
