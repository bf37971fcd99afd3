package main

import (
	"context"
	"errors"
	"time"

	"earshot/decisionlog"
	"earshot/decisionlog/contextcheck"
	"earshot/decisionlog/keyring"
	"earshot/decisionlog/receipt"
	"earshot/decisionlog/seal"
	"earshot/policy"
)

// evidence is what a data folder holds: the log and the keys, with what signs by them.
type evidence struct {
	log      *decisionlog.Log
	keys     *keyring.Ring
	receipts *receipt.Issuer
	seals    *seal.Service
}

// openEvidence opens a data folder and makes it where there is none. The caller must close the log.
func openEvidence(ctx context.Context, dir string, given keyring.Given) (_ *evidence, err error) {
	e := &evidence{}
	if e.log, err = decisionlog.Open(ctx, decisionlog.Config{Dir: dir}); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, e.log.Close())
		}
	}()
	// After the log, which holds the lock of the folder.
	if e.keys, err = keyring.Open(dir, given, time.Now()); err != nil {
		return nil, err
	}
	if err = e.signCheckpoints(ctx); err != nil {
		return nil, err
	}
	e.receipts, err = receipt.NewIssuer(receipt.Config{
		Signer: e.keys.Signer(keyring.PurposeReceipt), Ledger: e.log, Origin: e.log.Origin(), Clock: time.Now, NewID: newID,
	})
	if err != nil {
		return nil, err
	}
	e.seals, err = seal.New(seal.Config{
		Signer: e.keys.Signer(keyring.PurposeReceipt), Keys: e.keys, Ledger: e.log, Clock: time.Now, NewID: newID,
	})
	if err != nil {
		return nil, err
	}
	return e, nil
}

// signCheckpoints has the log make checkpoints by the log key in force.
func (e *evidence) signCheckpoints(ctx context.Context) error {
	signer := e.keys.Signer(keyring.PurposeLog)
	key, _ := e.keys.Find(keyring.PurposeLog, signer.KeyID())
	return e.log.SignCheckpoints(ctx, key, signer)
}

// contexts returns what checks contexts by an engine.
func (e *evidence) contexts(engine *policy.Engine) (*contextcheck.Service, error) {
	return contextcheck.New(contextcheck.Config{
		Ledger: e.log, Receipts: e.receipts, Rules: func() contextcheck.Rules { return engine }, Clock: time.Now, NewID: newID,
	})
}

// recorder keeps decisions and hand-offs.
type recorder interface {
	policy.Recorder
	policy.HandoffRecorder
}

// point returns a decision point that records by way of to and knows the seals that were issued here.
// The log has the files of the policy first, so that whoever looks at a decision later has them too.
func (e *evidence) point(ctx context.Context, engine *policy.Engine, to recorder) (*policy.Point, error) {
	if err := e.log.KeepBundle(ctx, engine.Revision(), engine.Archive()); err != nil {
		return nil, err
	}
	return policy.NewPoint(policy.Config{
		Engine: engine, Recorder: to, HandoffRecorder: to, Seals: e.seals, Clock: time.Now, NewID: newID,
	})
}
