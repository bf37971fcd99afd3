package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"path/filepath"

	"earshot/decisionlog/keyring"
	"earshot/policy"
	"earshot/server"
	"earshot/server/wire"

	"github.com/rs/zerolog"
)

// serviceConfig has what a server is made of. The empty policy is the built-in one.
type serviceConfig struct {
	data   string
	policy string
	given  keyring.Given
	file   *configFile
	logger zerolog.Logger
}

// service is a server with its open log.
type service struct {
	serviceConfig
	engine *policy.Engine
	*evidence
	server *server.Server
	again  *rechecker
}

// open compiles the policy and opens the log and the keys beside it. Serve closes it again.
func open(ctx context.Context, c serviceConfig) (*service, error) {
	engine, err := openPolicy(ctx, c.policy)
	if err != nil {
		return nil, err
	}
	e, err := openEvidence(ctx, c.data, c.given)
	if err != nil {
		return nil, err
	}
	s := &service{serviceConfig: c, engine: engine, evidence: e}
	if s.server, err = s.newServer(ctx); err != nil {
		return nil, errors.Join(err, e.log.Close())
	}
	return s, nil
}

func (s *service) newServer(ctx context.Context) (*server.Server, error) {
	s.again = newRechecker(s.engine, s.log, s.logger)
	point, err := s.point(ctx, s.engine, s.again)
	if err != nil {
		return nil, err
	}
	contexts, err := s.contexts(s.engine)
	if err != nil {
		return nil, err
	}
	auth := make([]server.Credential, len(s.file.Auth.Tokens))
	for i, token := range s.file.Auth.Tokens {
		auth[i] = server.Credential(token)
	}
	made, err := server.New(server.Config{
		Point:          point,
		Decisions:      s.log,
		PolicyRevision: s.engine.Revision,
		Tier:           s.engine.Tier,
		Differences:    s.again.differences.Load,
		Keys:           func() []keyring.Key { return s.keys.Keys(keyring.PurposeReceipt) },
		Receipts:       s.receipts,
		Seals:          s.seals,
		Fingerprints:   s.log,
		Contexts:       contexts,
		Erasures:       eraser{s.log},
		Tree:           s.log,
		Ready:          []server.Check{{Name: "decision_log", Ready: s.log.Ready}},
		Auth:           auth,
		Limits: wire.Limits{
			Body:       s.file.Limits.RequestBytes,
			Candidates: s.file.Limits.Candidates,
			Members:    s.file.Limits.AudienceMembers,
			Sources:    s.file.Limits.Sources,
		},
		Hosts:        s.file.Hosts,
		MaxInFlight:  s.file.MaxInFlight,
		MaxBodyBytes: s.file.MaxBodyBytes,
		Logger:       s.logger,
		Version:      versionOf(buildInfo()),
	})
	if err != nil {
		return nil, misuse{fmt.Errorf("the configuration: %w", err)} // Nothing else can be wrong.
	}
	return made, nil
}

// serve listens until ctx ends, finishes what it accepted and closes the log. It calls bound, unless
// that is nil, once it listens.
func (s *service) serve(ctx context.Context, addr *net.TCPAddr, bound func(net.Addr)) error {
	listener, err := net.ListenTCP("tcp", addr)
	if err != nil {
		return errors.Join(fmt.Errorf("%w; choose another address with --addr", err), s.log.Close())
	}
	data, err := filepath.Abs(s.data)
	if err != nil {
		data = s.data
	}
	s.logger.Info().
		Str("addr", listener.Addr().String()).
		Str("policy_revision", s.engine.Revision()).
		Str("data", data).
		Msg("listening")
	s.tellTier()
	if len(s.file.Auth.Tokens) == 0 {
		s.logger.Warn().
			Bool("loopback", addr.IP.IsLoopback()).
			Msg("no token is configured: everybody who reaches this address may ask and read the log")
	}
	if bound != nil {
		bound(listener.Addr())
	}
	retention, err := s.file.Log.retention(nil)
	if err != nil {
		return errors.Join(err, s.log.Close())
	}
	if retention.Age > 0 {
		go retain(ctx, s.log, retention, s.logger)
	}
	rechecks, stop := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.again.run(rechecks)
	}()
	err = s.server.Serve(ctx, listener)
	stop()
	<-done
	// The log closes after the last answer: it drains what was accepted.
	if err = errors.Join(err, s.log.Close()); err == nil {
		s.logger.Info().Msg("stopped")
	}
	return err
}

// tellTier says where the policy does not run as closures, since that costs time.
func (s *service) tellTier() {
	tier := s.engine.Tier()
	if !tier.Compiled {
		s.logger.Warn().Str("why", tier.Why).Msg("OPA evaluates the whole policy: it does not run as closures")
	}
	for _, rule := range tier.Interpreted {
		s.logger.Info().Str("rule", rule).Msg("OPA evaluates this rule for every candidate: there is no closure for it")
	}
}
