package wire_test

import (
	"testing"

	"earshot/server/wire"
)

func TestInstants(t *testing.T) {
	tests := map[string]string{ // text → the instant in UTC; empty for a fault
		"2026-11-30T20:00:00Z":            "2026-11-30T20:00:00Z",
		"2026-11-30T20:00:00.000000001Z":  "2026-11-30T20:00:00.000000001Z",
		"2026-11-30T20:00:00+05:30":       "2026-11-30T14:30:00Z",
		"2026-11-30T20:00:00-00:00":       "2026-11-30T20:00:00Z",
		"9999-12-31T23:59:59Z":            "9999-12-31T23:59:59Z",
		"2028-02-29T00:00:00Z":            "2028-02-29T00:00:00Z",
		"2026-02-29T00:00:00Z":            "",
		"2026-11-30T20:00:00":             "",
		"2026-11-30 20:00:00Z":            "",
		"2026-11-30t20:00:00z":            "",
		"2026-11-30T20:00:00,5Z":          "",
		"2026-11-30T20:00:00.Z":           "",
		"2026-11-30T20:00:00.0000000001Z": "",
		"2026-11-30T2:00:00Z":             "",
		"2026-11-30T24:00:00Z":            "",
		"2026-12-31T23:59:60Z":            "",
		"2026-11-30T20:00:00+24:00":       "",
		"2026-11-30T20:00:00+01:60":       "",
		"2026-11-30T20:00:00+0100":        "",
		"2026-11-30T20:00:00+01":          "",
		"2026-11-30T20:00Z":               "",
		"2026-11-30":                      "",
		"20:00:00Z":                       "",
		"1796155200":                      "",
		"1899-12-31T23:59:59Z":            "",
		"1900-01-01T00:00:00+00:01":       "",
		"":                                "",
		"2026-11-30T20:00:00Z ":           "",
		"+026-11-30T20:00:00Z":            "",
	}
	for text, want := range tests {
		t.Run(text, func(t *testing.T) {
			req, err := wire.DecodeDecision([]byte(body(`{"id": "m", "expires_at": "`+text+`"}`)), wire.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			c := req.Candidates[0]
			if want == "" {
				if len(c.Faults) != 1 || !c.ExpiresAt.IsZero() {
					t.Errorf("read as %v with faults %v, want one fault", c.ExpiresAt, c.Faults)
				}
				return
			}
			got := c.ExpiresAt.Format("2006-01-02T15:04:05.999999999Z07:00")
			if got != want || len(c.Faults) > 0 {
				t.Errorf("read as %s with faults %v, want %s", got, c.Faults, want)
			}
		})
	}
}
