package wire_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// bodiesOfCases returns the bodies of requests that cases have under a key: request, handoff or raw.
func bodiesOfCases(tb testing.TB, key string) [][]byte {
	tb.Helper()
	var bodies [][]byte
	cases := os.DirFS(filepath.Join("..", "..", "policytest", "cases"))
	err := fs.WalkDir(cases, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(name, ".yaml") {
			return err
		}
		text, err := fs.ReadFile(cases, name)
		if err != nil {
			return err
		}
		var c map[string]any
		if err := yaml.Unmarshal(text, &c); err != nil {
			return err
		}
		switch body := c[key].(type) {
		case nil:
		case string:
			bodies = append(bodies, []byte(body))
		default:
			text, err := json.Marshal(body)
			if err != nil {
				return err
			}
			bodies = append(bodies, text)
		}
		return nil
	})
	if err != nil {
		tb.Fatal(err)
	}
	if len(bodies) == 0 {
		tb.Fatalf("no case has %s", key)
	}
	return bodies
}
