package main

import (
	"context"
	"fmt"
	"net"

	"github.com/alecthomas/kong"
)

type serveCmd struct {
	Addr string `default:"127.0.0.1:8181" help:"Address to listen on; port 0 takes a free one."`
	Data string `default:"./data" help:"Data folder, which holds the decision log; made if absent."`
	policyFlag
	Config    string `placeholder:"FILE" help:"Configuration in YAML: these flags, with underscores, and tokens and limits."`
	Insecure  bool   `help:"Listen beyond loopback although no token is configured."`
	LogFormat string `default:"auto" enum:"auto,json,text" help:"What the server tells on standard error: json, text, or auto (text on a terminal)."`
	LogLevel  string `default:"info" enum:"debug,info,warn,error" help:"The least that it tells: debug, info, warn or error."`
	keyFlags
}

// Help is shown by pdp serve --help.
func (serveCmd) Help() string {
	return `A flag on the command line counts more than its variable, and that more than the configuration
file. The server ends on SIGINT, SIGTERM and SIGHUP, after it has finished what it accepted.

Examples:
  pdp serve
  pdp serve --addr 127.0.0.1:0 --data /var/lib/earshot --policy my-policy
  pdp serve --config earshot.yaml

A configuration file with every key:
  addr: 0.0.0.0:8181
  data: /var/lib/earshot
  policy: /etc/earshot/policy
  insecure: false
  log_format: json
  log_level: info
  receipt_key: /etc/earshot/receipt.pem  # leave out for keys that are made in the data folder
  log_key: /etc/earshot/log.pem
  log:
    retention: 4392h  # 183 days; leave out to keep everything
    holds:  # what matches one is kept whatever its age: viewer, item, agent, channel, tenant, from, to
      - viewer: user:ann@example.org
        from: "2026-01-01T00:00:00Z"
  auth:
    tokens:
      - name: agent-runtime
        sha256: 0c5a…  # of the token, in hex: printf %s "$TOKEN" | sha256sum
        scopes: [decide]  # decide, audit, seal, admin
        tenant: acme  # leave out for any tenant
  limits:
    candidates: 10000
    audience_members: 100000
    sources: 100000
    request_bytes: 33554432
  hosts: [earshot.internal]  # under which it may be asked without a token; * is any
  max_in_flight: 256  # decisions at once
  max_body_bytes: 268435456  # of all requests at once`
}

// BeforeResolve reads the configuration file, so that it can fill in flags.
func (c *serveCmd) BeforeResolve(command *kong.Context, s *settings) error {
	path := s.lookup("config")
	for _, flag := range command.Flags() {
		if given, ok := command.FlagValue(flag).(string); ok && flag.Name == "config" && given != "" {
			path = given
		}
	}
	if path == "" {
		return nil
	}
	var err error
	if s.file, err = readConfig(path); err != nil {
		return misuse{err}
	}
	return nil
}

// Run serves until ctx ends.
func (c *serveCmd) Run(ctx context.Context, p *process, s *settings) error {
	logger, err := newLogger(p.stderr, c.LogFormat, c.LogLevel)
	if err != nil {
		return misuse{err}
	}
	addr, err := net.ResolveTCPAddr("tcp", c.Addr)
	if err != nil {
		return misuse{fmt.Errorf("--addr: %w; give host:port", err)}
	}
	if !addr.IP.IsLoopback() && len(s.file.Auth.Tokens) == 0 && !c.Insecure {
		return misuse{fmt.Errorf("--addr %s can be reached from other machines, and everybody who reaches it may ask and read the log; "+
			"configure auth.tokens in the file named by --config, or say --insecure", c.Addr)}
	}
	service, err := open(ctx, serviceConfig{data: c.Data, policy: c.Policy, given: c.given(), file: &s.file, logger: logger})
	if err != nil {
		return err
	}
	return service.serve(ctx, addr, nil)
}
