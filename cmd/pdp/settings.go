package main

import (
	"strings"

	"github.com/alecthomas/kong"
)

// settings finds the value of a flag that is not on the command line: in its variable, else in the
// configuration file. It is a kong.Resolver.
type settings struct {
	getenv func(string) (string, bool)

	// file is the configuration file of the serve command; empty where none was named.
	file configFile
}

// variable returns the name of the environment variable of a flag.
func variable(flag string) string {
	return "EARSHOT_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// withVariable adds the variable's name to a flag's help.
func withVariable(v *kong.Value) string {
	if v.Flag == nil || v.Name == "help" || v.Tag.Has("novar") {
		return v.Help
	}
	return strings.TrimSuffix(v.Help, ".") + " ($" + variable(v.Name) + ")."
}

// Validate finds nothing wrong: the file was checked when it was read.
func (s *settings) Validate(*kong.Application) error { return nil }

// Resolve returns the value of a flag, or nil where neither the environment nor the file has one.
// An empty variable counts as absent.
func (s *settings) Resolve(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
	if flag.Name == "help" || flag.Tag.Has("novar") { // The latter is a name that flags of two commands have.
		return nil, nil
	}
	if value := s.lookup(flag.Name); value != "" {
		return value, nil
	}
	return s.file.flag(flag.Name), nil
}

func (s *settings) lookup(flag string) string {
	value, _ := s.getenv(variable(flag))
	return value
}
