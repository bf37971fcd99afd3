package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/goccy/go-yaml"
)

// configFile is the configuration file of the server: the flags, with underscores, and what has no
// flag. The zero value sets nothing.
type configFile struct {
	Addr      string `yaml:"addr"`
	Data      string `yaml:"data"`
	Policy    string `yaml:"policy"`
	Insecure  *bool  `yaml:"insecure"`
	LogFormat string `yaml:"log_format"`
	LogLevel  string `yaml:"log_level"`

	Auth   authConfig   `yaml:"auth"`
	Limits limitsConfig `yaml:"limits"`

	// MaxInFlight is how many decisions may be under way at once; zero leaves it to the server.
	MaxInFlight int `yaml:"max_in_flight"`
}

// authConfig names those who may call. Without a token everybody who reaches the port may.
type authConfig struct {
	Tokens []tokenConfig `yaml:"tokens"`
}

// tokenConfig is one bearer token. The file holds its digest only.
type tokenConfig struct {
	Name   string   `yaml:"name"`
	SHA256 string   `yaml:"sha256"` // of the token, in hex
	Scopes []string `yaml:"scopes"` // decide, audit, admin
	Tenant string   `yaml:"tenant"` // the one tenant the token is for; absent: any
}

// limitsConfig bounds one request; zero means the default of the contract.
type limitsConfig struct {
	Candidates      int   `yaml:"candidates"`
	AudienceMembers int   `yaml:"audience_members"`
	RequestBytes    int64 `yaml:"request_bytes"`
}

// readConfig reads a configuration file. A key that is not known is an error, so that a slip of
// the pen is not a setting left out. The error names file and line.
func readConfig(path string) (configFile, error) {
	var c configFile
	content, err := os.ReadFile(path)
	if err != nil {
		return c, fmt.Errorf("read the configuration: %w", err)
	}
	err = yaml.NewDecoder(bytes.NewReader(content), yaml.Strict()).Decode(&c)
	if err == nil || errors.Is(err, io.EOF) { // an empty file sets nothing
		return c, c.check(path)
	}
	if place, ok := errors.AsType[yaml.Error](err); ok && place.GetToken() != nil {
		return c, fmt.Errorf("%s:%d: %s", path, place.GetToken().Position.Line, place.GetMessage())
	}
	return c, fmt.Errorf("%s: %w", path, err)
}

// check finds values that have the right form and no sense.
func (c *configFile) check(path string) error {
	for _, number := range []struct {
		name  string
		value int64
	}{
		{"limits.candidates", int64(c.Limits.Candidates)},
		{"limits.audience_members", int64(c.Limits.AudienceMembers)},
		{"limits.request_bytes", c.Limits.RequestBytes},
		{"max_in_flight", int64(c.MaxInFlight)},
	} {
		if number.value < 0 {
			return fmt.Errorf("%s: %s is negative; leave it out for the default", path, number.name)
		}
	}
	return nil
}

// flag returns the file's value for a flag, nil where it sets none.
func (c *configFile) flag(name string) any {
	var value string
	switch name {
	case "addr":
		value = c.Addr
	case "data":
		value = c.Data
	case "policy":
		value = c.Policy
	case "insecure":
		if c.Insecure != nil {
			return *c.Insecure
		}
	case "log-format":
		value = c.LogFormat
	case "log-level":
		value = c.LogLevel
	}
	if value == "" {
		return nil
	}
	return value
}
