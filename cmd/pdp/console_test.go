package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// readmeAddr is the address that the README speaks of. The test takes a free one.
const readmeAddr = "127.0.0.1:8181"

// readmeCommand is a command of the README, with what it should print.
type readmeCommand struct {
	text   string // one line, or several with a here-document
	status int    // exit status; a comment "# exit status 1" says so
	want   string

	line     int // of the command, from 1
	from, to int // the lines of the output, from 0; to is exclusive
}

var (
	statusComment = regexp.MustCompile(`# exit status (\d+)$`)
	hereDocument  = regexp.MustCompile(`<<'(\w+)'`)
)

// readCommands returns the commands of a text in Markdown. Every fenced block must be a console
// block that begins with a command, so that nothing in a block goes unchecked.
func readCommands(lines []string) ([]readmeCommand, error) {
	var commands []readmeCommand
	for i := 0; i < len(lines); i++ {
		if !strings.HasPrefix(strings.TrimSpace(lines[i]), "```") {
			continue
		}
		if lines[i] != "```console" {
			return nil, fmt.Errorf("line %d: a block that is not run: %s", i+1, lines[i])
		}
		for i++; ; {
			if i == len(lines) {
				return nil, fmt.Errorf("line %d: the block does not end", i)
			}
			if lines[i] == "```" {
				break
			}
			text, ok := strings.CutPrefix(lines[i], "$ ")
			if !ok {
				return nil, fmt.Errorf("line %d: not a command: %s", i+1, lines[i])
			}
			c := readmeCommand{line: i + 1}
			if m := statusComment.FindStringSubmatch(text); m != nil {
				c.status, _ = strconv.Atoi(m[1])
			}
			if m := hereDocument.FindStringSubmatch(text); m != nil {
				for i++; i < len(lines) && lines[i] != m[1]; i++ {
					text += "\n" + lines[i]
				}
				text += "\n" + m[1]
			}
			c.text = text
			i++
			c.from = i
			for i < len(lines) && lines[i] != "```" && !strings.HasPrefix(lines[i], "$ ") {
				i++
			}
			c.to = min(i, len(lines))
			c.want = strings.Join(lines[c.from:c.to], "\n")
			commands = append(commands, c)
		}
	}
	return commands, nil
}

// volatile are the values that differ from run to run, each by its name.
var volatile = []struct {
	name    string
	pattern *regexp.Regexp
}{
	{"<id>", regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}`)},
	{"<time>", regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z`)},
	{"<digest>", regexp.MustCompile(`sha256:[0-9a-f]{64}`)},
	{"<manifest>", regexp.MustCompile(`\b[0-9a-f]{64}\b`)}, // commits to the revision of the policy
	{"<port>", regexp.MustCompile(`http://127\.0\.0\.1:\d+`)},
	{"<folder>", regexp.MustCompile(`/\S*/earshot-demo-\d+`)},
}

// sameOutput reports whether got is what the README shows. JSON may be laid out differently; a line
// of "…" stands for any lines, at least one.
func sameOutput(want, got string) bool {
	for _, v := range volatile {
		want = v.pattern.ReplaceAllString(want, v.name)
		got = v.pattern.ReplaceAllString(got, v.name)
	}
	want, got = strings.TrimSpace(want), strings.TrimSpace(got)
	if a, ok := compactJSON(want); ok {
		b, ok := compactJSON(got)
		return ok && a == b
	}
	got = string(layout([]byte(got)))
	parts := strings.Split("\n"+want+"\n", "\n…\n")
	got, ok := strings.CutPrefix("\n"+got+"\n", parts[0])
	for i, part := range parts[1:] {
		at := strings.Index(got, part)
		if i == len(parts)-2 {
			at = len(got) - len(part)
		}
		// What is left out is whole lines.
		if !ok || at < 2 || got[0] != '\n' || got[at-1] != '\n' || !strings.HasPrefix(got[at:], part) {
			return false
		}
		got = got[at+len(part):]
	}
	return ok && got == ""
}

func compactJSON(text string) (string, bool) {
	var out bytes.Buffer
	if json.Compact(&out, []byte(text)) != nil {
		return "", false
	}
	return out.String(), true
}

func TestSameOutput(t *testing.T) {
	long := strconv.Quote(strings.Repeat("x", lineWidth))
	tests := map[string]struct {
		want, got string
		same      bool
	}{
		"equal":            {"a\nb", "a\nb\n", true},
		"differs":          {"a\nb", "a\nc", false},
		"more":             {"a", "a\nb", false},
		"elided":           {"a\n…\nc", "a\nb\nb\nc", true},
		"elided, differs":  {"a\n…\nc", "a\nb\nd", false},
		"elided, more":     {"a\n…\nc", "a\nb\nc\nd", false},
		"elided, nothing":  {"a\n…\nc", "a\nc", false},
		"elided, twice":    {"a\n…\nc", "a\nc\nb\nc", true},
		"elided, the end":  {"a\n…", "a\nb", true},
		"elided, a part":   {"a\n…\nc", "ab\nb\nc", false},
		"JSON":             {`{"a": [1, 2]}`, `{"a":[1,2]}`, true},
		"JSON, differs":    {`{"a": [1, 2]}`, `{"a":[2,1]}`, false},
		"JSON, other text": {`{"a": 1}`, `a`, false},
		"JSON, elided":     {"{\n…\n  \"b\": " + long + "\n}", `{"a":1,"b":` + long + `}`, true},
		"time":             {"at 2026-11-30T20:00:01.123456Z", "at 2027-01-01T00:00:00.000000Z", true},
		"nothing":          {"", "", true},
		"something":        {"", "x", false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := sameOutput(tt.want, tt.got); got != tt.same {
				t.Errorf("got %v, want %v", got, tt.same)
			}
		})
	}
}

func TestReadCommandsRefusesWhatItDoesNotRun(t *testing.T) {
	for name, text := range map[string]string{
		"another language": "```sh\nls\n```",
		"no language":      "```\nls\n```",
		"indented":         "  ```console\n$ ls\n  ```",
		"no command":       "```console\nls\n```",
		"no end":           "```console\n$ ls\n",
	} {
		t.Run(name, func(t *testing.T) {
			if commands, err := readCommands(strings.Split(text, "\n")); err == nil {
				t.Errorf("got %v, want an error", commands)
			}
		})
	}
}
