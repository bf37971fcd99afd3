package main

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"earshot/server"
	"earshot/server/wire"

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

	// ReceiptKey and LogKey are files with private keys; absent: those that are made in the data folder.
	ReceiptKey string `yaml:"receipt_key"`
	LogKey     string `yaml:"log_key"`

	Log    logConfig    `yaml:"log"`
	Auth   authConfig   `yaml:"auth"`
	Limits limitsConfig `yaml:"limits"`

	// Hosts are further names and addresses under which a server without tokens may be asked.
	Hosts []string `yaml:"hosts"`

	// MaxInFlight is how many decisions may be under way at once, and MaxBodyBytes how many bytes of
	// requests may be held at once; zero leaves them to the server.
	MaxInFlight  int   `yaml:"max_in_flight"`
	MaxBodyBytes int64 `yaml:"max_body_bytes"`
}

// logConfig says how long the log keeps what it says beside its proofs.
type logConfig struct {
	// Retention is how old a payload becomes, as Go writes durations: 4392h is 183 days. Empty keeps all.
	Retention string `yaml:"retention"`

	// Holds are filters; what matches one is kept whatever its age.
	Holds []holdConfig `yaml:"holds"`
}

// holdConfig is a legal hold. All that it states must match.
type holdConfig struct {
	Viewer  string `yaml:"viewer"`
	Item    string `yaml:"item"`
	Agent   string `yaml:"agent"`
	Channel string `yaml:"channel"`
	Tenant  string `yaml:"tenant"`
	From    string `yaml:"from"` // RFC 3339
	To      string `yaml:"to"`   // excluded
}

// authConfig names those who may call. Without a token everybody who reaches the port may.
type authConfig struct {
	Tokens []tokenConfig `yaml:"tokens"`
}

// tokenConfig is one bearer token. The file holds its digest only.
type tokenConfig struct {
	Name   string   `yaml:"name"`
	SHA256 string   `yaml:"sha256"` // of the token, in hex
	Scopes []string `yaml:"scopes"` // decide, audit, seal, admin
	Tenant string   `yaml:"tenant"` // the one tenant the token is for; absent: any
}

// limitsConfig bounds one request; zero means the default of the contract.
type limitsConfig struct {
	Candidates      int   `yaml:"candidates"`
	AudienceMembers int   `yaml:"audience_members"`
	Sources         int   `yaml:"sources"`
	RequestBytes    int64 `yaml:"request_bytes"`
}

// readConfig reads a configuration file. A key that is not known is an error, so that a slip of
// the pen is not a setting left out. The error names file, line and key.
func readConfig(path string) (configFile, error) {
	var c configFile
	content, err := os.ReadFile(path)
	if err != nil {
		return c, fmt.Errorf("read the configuration: %w", err)
	}
	form, err := checkForm(content)
	if err != nil {
		return c, atLine(path, err)
	}
	err = yaml.UnmarshalWithOptions(content, &c, yaml.Strict())
	if err != nil && !errors.Is(err, io.EOF) { // an empty file sets nothing
		return c, atLine(path, err)
	}
	if err := c.check(form); err != nil {
		return c, atLine(path, err)
	}
	return c, nil
}

// atLine puts file and line in front of an error of the configuration.
func atLine(path string, err error) error {
	if wrong, ok := errors.AsType[*formError](err); ok {
		return fmt.Errorf("%s:%d: %s", path, wrong.line, wrong.problem)
	}
	if wrong, ok := errors.AsType[yaml.Error](err); ok && wrong.GetToken() != nil {
		return fmt.Errorf("%s:%d: %s", path, wrong.GetToken().Position.Line, wrong.GetMessage())
	}
	return fmt.Errorf("%s: %w", path, err)
}

// check finds values that have the right form and no sense.
func (c *configFile) check(form *form) error {
	known := map[string]string{} // what a name or digest belongs to
	for i, token := range c.Auth.Tokens {
		key := fmt.Sprintf("auth.tokens[%d]", i)
		switch sum, err := hex.DecodeString(token.SHA256); {
		case token.Name == "":
			return form.problem(key, "needs a name; decisions that are asked for with the token bear it")
		case known["name "+token.Name] != "":
			return form.problem(key+".name", "%q is the name of another token", token.Name)
		case err != nil || len(sum) != sha256.Size:
			return form.problem(key+".sha256", "must be the SHA-256 of the token in 64 hex digits: printf %%s \"$TOKEN\" | sha256sum")
		case [sha256.Size]byte(sum) == sha256.Sum256(nil):
			return form.problem(key+".sha256", "is the SHA-256 of an empty token; was the variable set?")
		case known["sum "+string(sum)] != "":
			return form.problem(key+".sha256", "is that of the token %q", known["sum "+string(sum)])
		case len(token.Scopes) == 0:
			return form.problem(key, "needs scopes, of %s", strings.Join(server.Scopes(), ", "))
		default:
			known["name "+token.Name], known["sum "+string(sum)] = token.Name, token.Name
		}
		for j, scope := range token.Scopes {
			if !slices.Contains(server.Scopes(), scope) {
				return form.problem(fmt.Sprintf("%s.scopes[%d]", key, j), "must be one of %s", strings.Join(server.Scopes(), ", "))
			}
		}
	}
	if _, err := c.Log.retention(form); err != nil {
		return err
	}
	if most := cmp.Or(c.Limits.RequestBytes, wire.DefaultLimits().Body); c.MaxBodyBytes != 0 && c.MaxBodyBytes < most {
		return form.problem("max_body_bytes", "must be at least limits.request_bytes, which is %d", most)
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
	case "receipt-key":
		value = c.ReceiptKey
	case "log-key":
		value = c.LogKey
	}
	if value == "" {
		return nil
	}
	return value
}
