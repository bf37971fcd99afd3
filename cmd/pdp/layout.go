package main

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

// lineWidth is how long a line of laid-out JSON may be, in bytes.
const lineWidth = 110

// layout lays out JSON for people: a value that fits on a line stays on one, a longer one has a line
// for each of its parts. Text that is not JSON stays as it is.
func layout(text []byte) []byte {
	var out bytes.Buffer
	if err := layoutValue(&out, jsontext.Value(text), "", 0); err != nil {
		return text
	}
	return out.Bytes()
}

// layoutValue writes a value after what stands on its line already, used bytes of it.
func layoutValue(out *bytes.Buffer, value jsontext.Value, indent string, used int) error {
	line := value.Clone()
	err := line.Format(jsontext.SpaceAfterColon(true), jsontext.SpaceAfterComma(true), jsontext.PreserveRawStrings(true))
	if err != nil {
		return err
	}
	kind := line.Kind()
	if kind != '{' && kind != '[' || used+len(line) <= lineWidth {
		out.Write(line)
		return nil
	}
	parts := jsontext.NewDecoder(bytes.NewReader(line))
	if _, err := parts.ReadToken(); err != nil {
		return err
	}
	inner := indent + "  "
	separator := ""
	out.WriteByte(line[0])
	for parts.PeekKind() != '}' && parts.PeekKind() != ']' {
		out.WriteString(separator + "\n" + inner)
		separator = ","
		// One byte for the comma that may follow.
		used := len(inner) + 1
		if kind == '{' {
			name, err := parts.ReadValue()
			if err != nil {
				return err
			}
			out.Write(name)
			out.WriteString(": ")
			used += len(name) + 2
		}
		part, err := parts.ReadValue()
		if err != nil {
			return err
		}
		if err := layoutValue(out, part, inner, used); err != nil {
			return err
		}
	}
	out.WriteString("\n" + indent)
	out.WriteByte(line[len(line)-1])
	return nil
}
