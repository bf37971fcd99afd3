package receipt_test

import (
	"encoding/json"
	"testing"
	"time"

	"earshot/decisionlog/keyring"
	"earshot/decisionlog/receipt"
)

func TestOrderOfElementsIsSigned(t *testing.T) {
	payload := payloadOf(t, issue(t).Envelopes[receipt.Provenance])
	var s map[string]any
	if err := json.Unmarshal(payload, &s); err != nil {
		t.Fatal(err)
	}
	list := s["subject"].([]any)
	list[0], list[1] = list[1], list[0]
	changed, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	refusedAt(t, sign(testKey(), inTotoType, changed), keys(), "/payload: /subject/0")
}

func TestKeys(t *testing.T) {
	envelope := issue(t).Envelopes[receipt.InheritancePolicy]
	with := func(change func(*keyring.Key)) []keyring.Key {
		k := testKey().key()
		change(&k)
		return []keyring.Key{k}
	}
	second := issuedAt.Truncate(time.Second)
	tests := map[string]struct {
		keys  []keyring.Key
		place string // empty where the receipt is good
	}{
		"in force":             {with(func(*keyring.Key) {}), ""},
		"bare, as of PEM":      {with(func(k *keyring.Key) { *k = keyring.Key{ID: k.ID, Public: k.Public} }), ""},
		"closed since":         {with(func(k *keyring.Key) { k.NotAfter = second.Add(time.Second) }), ""},
		"closed that second":   {with(func(k *keyring.Key) { k.NotAfter = second }), ""},
		"closed before":        {with(func(k *keyring.Key) { k.NotAfter = second.Add(-time.Second) }), "/payload: /predicate/issued_at"},
		"in force only later":  {with(func(k *keyring.Key) { k.NotBefore = second.Add(time.Second) }), "/payload: /predicate/issued_at"},
		"of the log":           {with(func(k *keyring.Key) { k.Purpose = keyring.PurposeLog }), "/signatures/0/keyid"},
		"another":              {[]keyring.Key{newSigner('o').key()}, "/signatures/0/keyid"},
		"another by that name": {with(func(k *keyring.Key) { k.Public = newSigner('o').public() }), "/signatures/0/sig"},
		"without its bytes":    {with(func(k *keyring.Key) { k.Public = nil }), "/signatures/0/keyid"},
		"none":                 {nil, "/signatures/0/keyid"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if tt.place == "" {
				if _, err := receipt.Verify(envelope, tt.keys); err != nil {
					t.Error(err)
				}
				return
			}
			refusedAt(t, envelope, tt.keys, tt.place)
		})
	}
}
