package world

import "go.yaml.in/yaml/v3"

// MarshalYAML implements yaml.Marshaler: a channel is on one line.
func (c Channel) MarshalYAML() (any, error) {
	type plain Channel
	return onOneLine(plain(c))
}

// MarshalYAML implements yaml.Marshaler: an event is on one line.
func (e Event) MarshalYAML() (any, error) {
	type plain Event
	return onOneLine(plain(e))
}

// MarshalYAML implements yaml.Marshaler: a reading is on one line.
func (r Reading) MarshalYAML() (any, error) {
	type plain Reading
	return onOneLine(plain(r))
}

func onOneLine(value any) (*yaml.Node, error) {
	var node yaml.Node
	err := node.Encode(value)
	node.Style = yaml.FlowStyle
	return &node, err
}
