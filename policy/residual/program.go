package residual

import (
	"errors"
	"slices"
)

// maxCodes is how many codes one program can tell apart.
const maxCodes = 256

// Mask is a set of codes of a program, by their place in Codes.
type Mask [maxCodes / 64]uint64

// Has reports whether the code at place i is in the set.
func (m *Mask) Has(i int) bool { return m[i/64]&(1<<(i%64)) != 0 }

// Empty reports whether there is no code in the set.
func (m *Mask) Empty() bool { return *m == Mask{} }

func (m *Mask) add(i int) { m[i/64] |= 1 << (i % 64) }

// ErrTooManyCodes means that there are more codes than a program can tell apart.
var ErrTooManyCodes = errors.New("there are more codes than a mask has bits")

// Program is some sets of rules as closures over values of type F. It is immutable and safe for
// concurrent use; each evaluation has a State of its own.
type Program[F any] struct {
	codes []string // sorted
	sets  [][]clause[F]

	// turn are the conditions that are looked at once a request, and memos is how many others are
	// remembered for one candidate.
	turn  []test[F]
	memos int
}

// test is a condition as a closure.
type test[F any] func(*State[F]) bool

// clause is one rule: its code where all conditions on the turn hold and then the rest.
type clause[F any] struct {
	code int
	turn []int
	rest test[F] // nil where nothing is left
}

// Compile makes closures of sets of rules, made over the same schema. What several rules ask is asked
// once.
func Compile[F any](schema Schema[F], sets ...[]Rule) (*Program[F], error) {
	p := &Program[F]{}
	for _, rules := range sets {
		for _, rule := range rules {
			p.codes = append(p.codes, rule.Code)
		}
	}
	slices.Sort(p.codes)
	p.codes = slices.Compact(p.codes)
	if len(p.codes) > maxCodes {
		return nil, ErrTooManyCodes
	}
	c := newCompiler(schema, sets)
	for _, rules := range sets {
		clauses := make([]clause[F], len(rules))
		for i, rule := range rules {
			code, _ := slices.BinarySearch(p.codes, rule.Code)
			clauses[i] = c.clause(code, rule.When)
		}
		p.sets = append(p.sets, clauses)
	}
	p.turn, p.memos = c.turn, len(c.memos)
	return p, nil
}

// Codes are all codes of the program, sorted.
func (p *Program[F]) Codes() []string { return p.codes }

// State is one evaluation. It can be used again and again, for one request at a time.
type State[F any] struct {
	Fields F

	index [maxSlots]int
	name  [maxSlots]string
	turn  []bool
	memo  []memo
	alive [][]*clause[F]
}

type memo uint8

const (
	unknown memo = iota
	holds
	fails
)

// NewState returns a state for the program.
func (p *Program[F]) NewState() *State[F] {
	return &State[F]{
		turn:  make([]bool, len(p.turn)),
		memo:  make([]memo, p.memos),
		alive: make([][]*clause[F], len(p.sets)),
	}
}

// Begin takes in the turn of s.Fields: what depends on it alone is not looked at again.
func (p *Program[F]) Begin(s *State[F]) {
	for i, holds := range p.turn {
		s.turn[i] = holds(s)
	}
	for i, clauses := range p.sets {
		s.alive[i] = s.alive[i][:0]
		for j := range clauses {
			if c := &clauses[j]; !slices.ContainsFunc(c.turn, func(k int) bool { return !s.turn[k] }) {
				s.alive[i] = append(s.alive[i], c)
			}
		}
	}
}

// Next takes in another candidate of the same turn.
func (s *State[F]) Next() { clear(s.memo) }

// Set returns which codes of the set at place i hold for the candidate of s.Fields.
func (s *State[F]) Set(i int) (m Mask) {
	for _, c := range s.alive[i] {
		if !m.Has(c.code) && (c.rest == nil || c.rest(s)) {
			m.add(c.code)
		}
	}
	return m
}
