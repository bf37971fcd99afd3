package policytest

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

var (
	// lineInMessage finds the line that the YAML reader puts into its messages.
	lineInMessage = regexp.MustCompile(`line (\d+): `)

	// unknownAnchor finds the name that nothing was given.
	unknownAnchor = regexp.MustCompile(`^unknown anchor '(.*)' referenced$`)
)

// refuse turns an error of the YAML reader about a text into one line that says where and what to do.
func refuse(name string, text []byte, err error) error {
	if errors.Is(err, io.EOF) {
		return &CaseError{File: name, Line: 1, Problem: "is empty; begin with the claim"}
	}
	message := strings.TrimPrefix(err.Error(), "yaml: ")
	types, wellFormed := errors.AsType[*yaml.TypeError](err)
	if wellFormed {
		message = types.Errors[0]
	}
	line, said := 1, false
	if found := lineInMessage.FindStringSubmatchIndex(message); found != nil {
		if n, err := strconv.Atoi(message[found[2]:found[3]]); err == nil {
			line, said = n, true
		}
		message = message[found[1]:]
	}
	switch found := unknownAnchor.FindStringSubmatch(message); {
	case found != nil:
		return &CaseError{
			File: name, Line: lineWith(text, "*"+found[1]),
			Problem: "*" + found[1] + " stands for nothing; put the text in quotes, or name what it repeats with &" + found[1],
		}
	case wellFormed:
		return &CaseError{File: name, Line: line, Problem: plainWords(message)}
	case !said:
		line = oddLine(text)
	case strings.HasPrefix(message, "did not find expected "):
		line++ // The reader counts the lines of such an error from 0.
	}
	return &CaseError{File: name, Line: line, Problem: "is not YAML: " + message + "; mend it, or put a text with such signs in quotes"}
}

// lineWith returns the first line that holds s; 1 where none does.
func lineWith(text []byte, s string) int {
	at := max(bytes.Index(text, []byte(s)), 0)
	return 1 + bytes.Count(text[:at], []byte("\n"))
}

// oddLine returns the first line with something that no YAML may hold: a control character, or what is
// not UTF-8. It is 1 where there is none.
func oddLine(text []byte) int {
	line := 1
	for _, content := range bytes.Split(text, []byte("\n")) {
		control := bytes.ContainsFunc(content, func(r rune) bool { return r < ' ' && r != '\t' && r != '\r' || r == 0x7f })
		if control || !utf8.Valid(content) {
			return line
		}
		line++
	}
	return 1
}
