package policy

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"time"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/storage"
	"github.com/open-policy-agent/opa/v1/topdown"
)

// loadSchemas returns the JSON schemas of input and data that rules are type-checked against, under
// the names that stock `opa check -s policy/schemas` gives them.
func loadSchemas() (*ast.SchemaSet, error) {
	set := ast.NewSchemaSet()
	err := fs.WalkDir(embeddedSchemas, "schemas", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := embeddedSchemas.ReadFile(name)
		if err != nil {
			return err
		}
		var schema any
		if err := json.Unmarshal(content, &schema); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		parts := strings.Split(strings.TrimSuffix(strings.TrimPrefix(name, "schemas/"), path.Ext(name)), "/")
		ref := ast.SchemaRootRef.Copy()
		for _, part := range parts {
			ref = ref.Append(ast.StringTerm(part))
		}
		set.Put(ref, schema)
		return nil
	})
	return set, err
}

// checkSettings asks the policy what is wrong with its own settings. No answer is a problem too.
func checkSettings(ctx context.Context, c *ast.Compiler, s storage.Store) error {
	q, err := prepare(ctx, c, s, queryProblems)
	if err != nil {
		return err
	}
	cancel := topdown.NewCancel()
	defer context.AfterFunc(ctx, cancel.Cancel)()
	answer, err := ask(ctx, q, ast.NewObject(), cancel)
	if err != nil {
		return fmt.Errorf("%s: %w", queryProblems, err)
	}
	problems, ok := readCodes(answer)
	switch {
	case !ok:
		return fmt.Errorf("%s is not a set of sentences", queryProblems)
	case len(problems) > 0:
		return errors.New(strings.Join(problems, "\n"))
	}
	return nil
}

// readNames reads a setting that the engine's own subset test shares with the policy.
func readNames(data map[string]any, setting string) (map[string]bool, error) {
	settings, ok := childOf(data, "earshot", "settings")
	if !ok {
		return nil, errors.New("earshot/settings/data.json is missing; copy it from the embedded policy")
	}
	list, ok := readCodes(settings[setting])
	if !ok {
		return nil, fmt.Errorf("earshot/settings/data.json: %s must be a list of principals", setting)
	}
	names := make(map[string]bool, len(list))
	for _, name := range list {
		if err := CheckPrincipal(name); err != nil {
			return nil, fmt.Errorf("earshot/settings/data.json: %s: %q %w, so it can match nobody", setting, name, err)
		}
		names[name] = true
	}
	return names, nil
}

// childOf returns the object that path leads to.
func childOf(object map[string]any, path ...string) (map[string]any, bool) {
	for _, name := range path {
		child, ok := object[name].(map[string]any)
		if !ok {
			return nil, false
		}
		object = child
	}
	return object, true
}

// checkCanaries decides a few requests whose answer no policy may change, so that a bundle that
// lost a part is refused at load and not found out in use.
func (e *Engine) checkCanaries(ctx context.Context) error {
	item := Candidate{
		ID: "canary", Audience: Principals("canary:listener"), AudienceBasis: BasisRecorded,
		Agent: "canary:agent", Confidential: NotConfidential, Kind: KindFact, State: StateLive,
	}
	stranger := item
	stranger.Audience = Principals("canary:other")
	nobody := item
	nobody.Audience = Audience{}
	entry := &Entry{
		At: time.Unix(0, 0).UTC(),
		Request: Request{
			Turn: Turn{
				Attempt: 1, Agent: "canary:agent",
				Viewers: []string{"canary:listener"}, ViewersBasis: BasisPlatform,
			},
			Candidates: []Candidate{item, stranger, nobody},
		},
	}
	failures, err := e.evaluate(ctx, entry)
	if err != nil {
		return fmt.Errorf("self-check: %w", err)
	}
	for _, failure := range failures {
		return fmt.Errorf("self-check: %w", failure.Cause)
	}
	for i, result := range entry.Results {
		for _, code := range result.Reasons {
			if code == CodeInvariantViolation {
				return fmt.Errorf("self-check: an item for %s, read by [canary:listener], gives %s",
					audienceText(entry.Request.Candidates[i].Audience), code)
			}
		}
	}
	return nil
}

func audienceText(a Audience) string {
	if a.Kind == AudienceList {
		return fmt.Sprint(a.Members)
	}
	return a.Kind.String()
}
