package residual

import (
	"fmt"
	"slices"
	"strings"
)

// compiler makes closures of conditions.
type compiler[F any] struct {
	schema Schema[F]
	scopes scopes
	turn   []test[F]
	memos  map[string]int // by condition, those that are remembered for one candidate

	hoisted map[string]int // by condition, the place in turn
	uses    map[string]int // how often a closed condition stands in the rules
}

func newCompiler[F any](schema Schema[F], sets [][]Rule) *compiler[F] {
	c := &compiler[F]{
		schema: schema, scopes: scopes(schema.shape()),
		memos: map[string]int{}, hoisted: map[string]int{}, uses: map[string]int{},
	}
	for _, rules := range sets {
		for _, rule := range rules {
			c.count(rule.When)
		}
	}
	return c
}

// count counts the conditions that are worth remembering: those that look at more than one value.
func (c *compiler[F]) count(cond Cond) {
	key := cond.String()
	if c.uses[key]++; c.uses[key] > 1 {
		return // What it is made of is asked with it.
	}
	switch cond := cond.(type) {
	case And:
		for _, part := range cond {
			c.count(part)
		}
	case Or:
		for _, part := range cond {
			c.count(part)
		}
	case Not:
		c.count(cond.Of)
	case Some:
		c.count(cond.Where)
	}
}

// clause divides a rule into what depends on the turn alone and the rest.
func (c *compiler[F]) clause(code int, when Cond) clause[F] {
	parts, ok := when.(And)
	if !ok {
		parts = And{when}
	}
	out := clause[F]{code: code}
	var rest And
	for _, part := range parts {
		if scope, closed := c.scopes.of(part); closed && scope&Candidate == 0 {
			out.turn = append(out.turn, c.hoist(part))
		} else {
			rest = append(rest, part)
		}
	}
	if len(rest) > 0 {
		out.rest = c.cond(and(rest))
	}
	return out
}

// hoist makes a condition one that is looked at once a request.
func (c *compiler[F]) hoist(cond Cond) int {
	key := cond.String()
	if i, ok := c.hoisted[key]; ok {
		return i
	}
	made := c.plain(cond)
	c.turn = append(c.turn, made)
	c.hoisted[key] = len(c.turn) - 1
	return len(c.turn) - 1
}

// cond returns a condition as a closure. One that depends on the turn alone is looked up, and one that
// several rules share is worked out once a candidate.
func (c *compiler[F]) cond(cond Cond) test[F] {
	if constant, ok := cond.(Const); ok {
		return func(*State[F]) bool { return bool(constant) }
	}
	scope, closed := c.scopes.of(cond)
	key := cond.String()
	switch {
	case !closed:
		return c.plain(cond)
	case scope&Candidate == 0:
		i := c.hoist(cond)
		return func(s *State[F]) bool { return s.turn[i] }
	case c.uses[key] < 2 || cheap(cond):
		return c.plain(cond)
	}
	i, ok := c.memos[key]
	if !ok {
		i = len(c.memos)
		c.memos[key] = i
	}
	work := c.plain(cond)
	return func(s *State[F]) bool {
		switch s.memo[i] {
		case holds:
			return true
		case fails:
			return false
		}
		if work(s) {
			s.memo[i] = holds
			return true
		}
		s.memo[i] = fails
		return false
	}
}

// cheap reports whether to look up what a condition gave costs as much as the condition.
func cheap(cond Cond) bool {
	switch cond := cond.(type) {
	case Compare, Count:
		return true
	case Not:
		return cheap(cond.Of)
	default:
		return false
	}
}

// plain returns the closure of a condition itself.
func (c *compiler[F]) plain(cond Cond) test[F] {
	switch cond := cond.(type) {
	case Const:
		return func(*State[F]) bool { return bool(cond) }
	case And:
		return c.and(cond)
	case Or:
		return c.or(cond)
	case Not:
		of := c.cond(cond.Of)
		return func(s *State[F]) bool { return !of(s) }
	case Compare:
		return c.compare(cond)
	case Member:
		return c.member(cond)
	case Same:
		left, right := c.names(cond.Left), c.names(cond.Right)
		return func(s *State[F]) bool { return slices.Equal(left(s), right(s)) }
	case Some:
		return c.some(cond)
	case Count:
		size, op, n := c.size(cond.Of), cond.Op, cond.N
		return func(s *State[F]) bool { return op.holds(cmpInt(int64(size(s)), n)) }
	case Text:
		return c.textTest(cond)
	case HasKey:
		return c.hasKey(cond)
	case IsType:
		return c.isType(cond)
	default:
		panic(fmt.Sprintf("residual: no such condition: %T", cond))
	}
}

func (c *compiler[F]) and(parts And) test[F] {
	tests := c.tests(parts)
	if len(tests) == 2 {
		first, second := tests[0], tests[1]
		return func(s *State[F]) bool { return first(s) && second(s) }
	}
	return func(s *State[F]) bool {
		for _, t := range tests {
			if !t(s) {
				return false
			}
		}
		return true
	}
}

func (c *compiler[F]) or(parts Or) test[F] {
	tests := c.tests(parts)
	return func(s *State[F]) bool {
		for _, t := range tests {
			if t(s) {
				return true
			}
		}
		return false
	}
}

// tests returns closures of conditions, those first that cost least. Conditions have no effects, so
// their order is free.
func (c *compiler[F]) tests(parts []Cond) []test[F] {
	parts = slices.Clone(parts)
	slices.SortStableFunc(parts, func(a, b Cond) int { return c.cost(a) - c.cost(b) })
	tests := make([]test[F], len(parts))
	for i, part := range parts {
		tests[i] = c.cond(part)
	}
	return tests
}

func (c *compiler[F]) cost(cond Cond) int {
	if scope, closed := c.scopes.of(cond); closed && scope&Candidate == 0 {
		return 0
	}
	switch cond := cond.(type) {
	case Compare, Count:
		return 1
	case Not:
		return c.cost(cond.Of)
	case Member:
		return 2
	default:
		return 3
	}
}

func (c *compiler[F]) some(cond Some) test[F] {
	slot := cond.Slot
	if list, ok := cond.In.(List); ok {
		size, where := c.schema[list.Path].Len, c.cond(cond.Where)
		return func(s *State[F]) bool {
			for i := range size(&s.Fields) {
				s.index[slot] = i
				if where(s) {
					return true
				}
			}
			return false
		}
	}
	in := c.names(cond.In.(Names))
	if of, ok := outsideOf(cond); ok {
		of := c.names(of)
		return func(s *State[F]) bool { return leavesOut(of(s), in(s)) }
	}
	where := c.cond(cond.Where)
	return func(s *State[F]) bool {
		for _, name := range in(s) {
			s.name[slot] = name
			if where(s) {
				return true
			}
		}
		return false
	}
}

// outsideOf returns the set that a condition looks for a name outside of, if that is all it does.
func outsideOf(cond Some) (Names, bool) {
	negated, ok := cond.Where.(Not)
	if !ok {
		return nil, false
	}
	member, ok := negated.Of.(Member)
	if !ok || member.Value != Value(Each{Slot: cond.Slot}) {
		return nil, false
	}
	if of, ok := member.Of.(ElementNames); ok && of.Slot == cond.Slot {
		return nil, false
	}
	return member.Of, true
}

// leavesOut reports whether one of some names is not among the members. Both are sorted.
func leavesOut(members, names []string) bool {
	for _, name := range names {
		i, found := slices.BinarySearchFunc(members, name, strings.Compare)
		if !found {
			return true
		}
		members = members[i+1:]
	}
	return false
}
