package policytest_test

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"testing"
	"testing/fstest"

	"pgregory.net/rapid"

	"earshot/policy"
	"earshot/policytest"
)

// narrowing: an audience or a source that is for fewer never admits more. Grants are left out: they
// stand beside the audience.
func narrowing(t *rapid.T) claim {
	before := anyQuestion(t)
	before.Facts.Grants = nil
	after := before.clone()
	c := &after.Request.Candidates[rapid.IntRange(0, len(after.Request.Candidates)-1).Draw(t, "candidate")]
	var audiences []*policy.Audience
	add := func(a *policy.Audience, sources []policy.Source) {
		if a.Kind != policy.AudienceInherited || len(sources) > 0 { // Else it is nobody already.
			audiences = append(audiences, a)
		}
	}
	add(&c.Audience, c.Sources)
	sources(c, func(s *policy.Source) { add(&s.Audience, s.Sources) })
	if len(audiences) > 0 {
		narrow(t, pick(t, audiences, "audience to narrow"), after)
	}
	if len(c.Sources) > 0 && chance(t, 4, "one more source") {
		c.Sources = append(c.Sources, source(audience(t, after, "audience of one more source")))
	}
	return func(ctx context.Context, decide policytest.Decider) error {
		return noMore(ctx, decide, before, after)
	}
}

// narrow replaces a by an audience below it: public is the top, the tenant is below it, and lists
// are below the tenant as long as nobody from outside is on them. An audience that is left out is
// the meet of the sources, so that stating any narrows it.
func narrow(t *rapid.T, a *policy.Audience, q question) {
	insiders := slices.DeleteFunc(distinct(people), func(name string) bool {
		return slices.Contains(q.Request.Turn.ExternalViewers, name)
	})
	switch a.Kind {
	case policy.AudienceInherited:
		*a = audience(t, q, "stated audience")
	case policy.AudiencePublic:
		*a = pick(t, []policy.Audience{{}, policy.WholeTenant(), members(some(t, 0, people, "list"))}, "below public")
	case policy.AudienceTenant:
		*a = pick(t, []policy.Audience{{}, members(some(t, 0, insiders, "list"))}, "below the tenant")
	case policy.AudienceList:
		viewers := rapid.Bool().Draw(t, "to the viewers")
		*a = members(slices.DeleteFunc(slices.Clone(a.Members), func(name string) bool {
			switch {
			case policy.CheckPrincipal(name) != nil:
				return false // The list would no longer be malformed.
			case viewers:
				return !slices.Contains(present(q), name)
			default:
				return rapid.Bool().Draw(t, "off the list")
			}
		}))
	case policy.AudienceNone:
		// There is nothing below nobody.
	}
}

// extraForbids are rules that an author might add, good and bad ones.
var extraForbids = map[string]string{
	"by_kind":     `forbid contains "by_kind" if input.candidate.kind == "fact"`,
	"by_viewer":   `forbid contains "by_viewer" if "user:ann" in input.turn.viewers`,
	"odd_code":    `forbid contains {"code": 7} if input.candidate.id == "m1"`,
	"like_permit": `forbid contains "public" if input.candidate.audience.kind == "public"`,
	"with_an_error": `forbid contains "with_an_error" if {
	input.candidate.id == "m2"
	to_number(input.candidate.id) > 0
}`,
}

// moreForbids: a policy with one more local rule admits nothing that shipped does not.
func moreForbids(shipped *policytest.Policy) func(*rapid.T) claim {
	return func(t *rapid.T) claim {
		q := anyQuestion(t)
		q.Settings = allSettings()[0] // Each rule is a policy to compile, and one settings will do.
		return func(ctx context.Context, decide policytest.Decider) error {
			before, err := q.decide(ctx, shipped.Decide)
			if err != nil {
				return err
			}
			after, err := q.decide(ctx, decide)
			if err != nil {
				return err
			}
			return notMoreThan([]question{q}, before, after)
		}
	}
}

// lawsOfForbids returns the law of moreForbids for each of extraForbids. What breaks it is a rule that
// lifts doubts about the viewers as well.
func lawsOfForbids(t *testing.T, shipped *policytest.Policy) []law {
	t.Helper()
	var all []law
	for _, name := range slices.Sorted(maps.Keys(extraForbids)) {
		stricter := policytest.NewPolicy(withLocalRule(t, name, extraForbids[name]))
		all = append(all, law{
			name:    "one more forbid admits nothing more, " + name,
			draw:    moreForbids(shipped),
			subject: stricter.Decide,
			wrong:   trusting,
		})
	}
	return all
}

// withLocalRule returns the shipped bundle with one more rule of an author.
func withLocalRule(t *testing.T, name, rule string) fs.FS {
	t.Helper()
	out := fstest.MapFS{}
	if err := fs.WalkDir(policy.EmbeddedFS(), ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(policy.EmbeddedFS(), path)
		out[path] = &fstest.MapFile{Data: text}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprintf("package local.%s\n\n%s\n", name, rule)
	out[fmt.Sprintf("local/%s/%s.rego", name, name)] = &fstest.MapFile{Data: []byte(text)}
	return out
}
