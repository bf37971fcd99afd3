package policytest_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"earshot/policy"
	"earshot/policytest"
	"earshot/server/wire"
)

// subject is a way from what happened to an answer, the right one or a wrong one.
type subject struct {
	// body writes the request of a case.
	body func(*policytest.Case) ([]byte, error)

	// decode reads it.
	decode func(body []byte) (policy.Request, error)

	// decide answers it.
	decide policytest.Decider
}

// original is the way that ships with the program.
func original(shipped *policytest.Policy) subject {
	return subject{(*policytest.Case).Body, strictly, shipped.Decide}
}

// strictly is the decoder of the wire contract.
func strictly(body []byte) (policy.Request, error) {
	return wire.DecodeDecision(body, wire.DefaultLimits())
}

// mutant is a wrong policy, or a wrong program around the right one, by the mistake in its design.
type mutant struct {
	mistake string
	kind    kindOfMutant

	// about is how the names of the cases begin that speak of the mistake. They are held first.
	about string

	// from makes the mutant from the original. Its error matches policy.ErrBundle where the mutant is a
	// bundle that is refused; any other means that there is no such mutant.
	from func(context.Context, subject) (subject, error)
}

// kindOfMutant says where the mistake is.
type kindOfMutant string

const (
	inRego    kindOfMutant = "rego"    // a change of the bundle
	inEngine  kindOfMutant = "engine"  // something around the decision point
	inDecoder kindOfMutant = "decoder" // another reading of the bytes
	inMemory  kindOfMutant = "memory"  // other labels are written down when something is said
)

// edit is a change of a file of a bundle: a text that stands in it exactly once, and what takes its
// place.
type edit struct{ file, old, new string }

// rego is a mutant of the bundle.
func rego(mistake, about string, edits ...edit) mutant {
	return mutant{mistake, inRego, about, func(ctx context.Context, s subject) (subject, error) {
		fsys, err := edited(policy.EmbeddedFS(), edits)
		if err != nil {
			return subject{}, err
		}
		wrong := policytest.NewPolicy(fsys)
		s.decide = wrong.Decide
		// The first question compiles the bundle and has it check itself.
		_, err = s.decide(ctx, now, allSettings()[0], policy.Facts{}, oneItem())
		if errors.Is(err, policy.ErrBundle) {
			return subject{}, err
		}
		return s, nil
	}}
}

// edited returns the files of a bundle after the edits. Each must find its text and change it.
func edited(fsys fs.FS, edits []edit) (fs.FS, error) {
	files := map[string][]byte{}
	for _, e := range edits {
		text, ok := files[e.file]
		if !ok {
			var err error
			if text, err = fs.ReadFile(fsys, e.file); err != nil {
				return nil, err
			}
		}
		if n := bytes.Count(text, []byte(e.old)); n != 1 || e.old == e.new {
			return nil, fmt.Errorf("%s has the text to change %d times, want once, and another text in its place:\n%s", e.file, n, e.old)
		}
		files[e.file] = bytes.Replace(text, []byte(e.old), []byte(e.new), 1)
	}
	return policytest.Replace(fsys, files)
}

// decides is a mutant of the program around the decision point.
func decides(mistake, about string, around func(policytest.Decider) policytest.Decider) mutant {
	return mutant{mistake, inEngine, about, func(_ context.Context, s subject) (subject, error) {
		s.decide = around(s.decide)
		return s, nil
	}}
}

// asks is a mutant that puts another question to the decision point.
func asks(mistake, about string, hears func(*question)) mutant {
	return decides(mistake, about, func(d policytest.Decider) policytest.Decider { return asking(d, hears) })
}

// reads is a mutant of the decoder.
func reads(mistake, about string, decode func(body []byte) (policy.Request, error)) mutant {
	return mutant{mistake, inDecoder, about, func(_ context.Context, s subject) (subject, error) {
		s.decode = decode
		return s, nil
	}}
}

// trial is what came of a mutant.
type trial struct {
	mutant

	// check is the first that went red, and how it did; both empty for a mutant that survived.
	check, how string

	// err means that there is no such mutant, or that it could not be held.
	err error
}

// try holds a mutant against every check until one goes red.
func (m mutant) try(ctx context.Context, from subject, all *checks) trial {
	out := trial{mutant: m}
	s, err := m.from(ctx, from)
	switch {
	case errors.Is(err, policy.ErrBundle) && strings.Contains(err.Error(), "self-check"):
		out.check, out.how = "load", err.Error()
	case err != nil:
		out.err = err
	default:
		out.check, out.how, out.err = all.hold(ctx, s, m.about)
	}
	return out
}
