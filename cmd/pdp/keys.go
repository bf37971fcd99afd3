package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"earshot/decisionlog"
	"earshot/decisionlog/keyring"
)

// keysCmd groups what is done with the keys that sign receipts and checkpoints.
type keysCmd struct {
	List   keysListCmd   `cmd:"" default:"withargs" help:"Print the public keys, in force and closed."`
	Rotate keysRotateCmd `cmd:"" help:"Make a new key and close the one in force."`
}

// Help is shown by pdp keys --help.
func (keysCmd) Help() string {
	return `Without a command the keys are listed.

Examples:
  pdp keys
  pdp keys --jwks > jwks.json
  pdp keys rotate receipt`
}

// dataFlag is the data folder of a command that works on the keys.
type dataFlag struct {
	Data string `default:"./data" help:"Data folder, which holds the keys."`
}

// keyFlags are files with private keys that a server is given.
type keyFlags struct {
	ReceiptKey string `placeholder:"FILE" help:"Private key for receipts and seals, Ed25519 as PKCS#8 in PEM; made in the data folder if absent."`
	LogKey     string `placeholder:"FILE" help:"Private key for checkpoints of the log, likewise; another one."`
}

func (f keyFlags) given() keyring.Given {
	return keyring.Given{ReceiptKey: f.ReceiptKey, LogKey: f.LogKey}
}

type keysListCmd struct {
	dataFlag
	JWKS bool `name:"jwks" novar:"" help:"Print the receipt keys as a JWK set, as the server has them at /.well-known/jwks.json."`
}

// Help is shown by pdp keys list --help.
func (keysListCmd) Help() string {
	return `Each key is printed with its purpose, its ID (the SHA-256 of the SubjectPublicKeyInfo), the time in
which it signed, and the public key in PEM; the newest comes first. Private keys are not read. A server
may run on the folder.

Examples:
  pdp keys
  pdp keys --jwks --data /var/lib/earshot`
}

// Run prints the public keys.
func (c *keysListCmd) Run(p *process) error {
	keys, err := keyring.List(c.Data)
	if err != nil {
		return explainKeys(err)
	}
	if c.JWKS {
		return printJWKS(p.stdout, keys)
	}
	for _, k := range keys {
		until := "in force"
		if !k.InForce() {
			until = "until " + k.NotAfter.Format(time.RFC3339)
		}
		_, err := fmt.Fprintf(p.stdout, "%s key %s\nfrom %s, %s\n%s\n",
			k.Purpose, k.ID, k.NotBefore.Format(time.RFC3339), until, keyring.MarshalPublicPEM(k))
		if err != nil {
			return err
		}
	}
	return nil
}

// printJWKS prints the receipt keys among keys.
func printJWKS(w io.Writer, keys []keyring.Key) error {
	var receipts []keyring.Key
	for _, k := range keys {
		if k.Purpose == keyring.PurposeReceipt {
			receipts = append(receipts, k)
		}
	}
	text, err := keyring.MarshalJWKS(receipts)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s\n", layout(text))
	return err
}

type keysRotateCmd struct {
	dataFlag
	Purpose string `arg:"" enum:"receipt,log" help:"The key to rotate: receipt or log."`
}

// Help is shown by pdp keys rotate --help.
func (keysRotateCmd) Help() string {
	return `The new key is in force at once. The public half of the former one is kept, so that what it signed can
be verified; its private half is deleted, and no tool can promise that the disk forgets it: if it was
copied, by a backup say, that copy can still sign. The server on the folder must be stopped for the
time. A key that was given by --receipt-key or --log-key is rotated by giving another file.

Examples:
  pdp keys rotate receipt
  pdp keys rotate log --data /var/lib/earshot`
}

// Run rotates a key and prints the ID of the new one.
func (c *keysRotateCmd) Run(_ context.Context, p *process) (err error) {
	// To lock a folder leaves a file in it, and here it may be a wrong one.
	if _, err := keyring.List(c.Data); err != nil {
		return explainKeys(err)
	}
	release, err := decisionlog.Lock(c.Data)
	if errors.Is(err, decisionlog.ErrInUse) {
		return fmt.Errorf("%w\nif that is a server, stop it first: it would go on signing with the closed key", err)
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, release()) }()

	k, err := keyring.Rotate(c.Data, keyring.Purpose(c.Purpose), time.Now())
	if k.ID != "" {
		_, printErr := fmt.Fprintf(p.stdout, "the %s key is now %s\n", k.Purpose, k.ID)
		err = errors.Join(err, printErr)
	}
	return err
}

// explainKeys calls the data folder wrong where it has no keys.
func explainKeys(err error) error {
	if errors.Is(err, keyring.ErrNoKeys) {
		return misuse{fmt.Errorf("%w; name the data folder with --data", err)}
	}
	return err
}
