package policy_test

import (
	"slices"
	"testing"
	"time"

	"earshot/policy"
)

func TestFarInstantsDoNotWrapAround(t *testing.T) {
	never := item("never", policy.Everybody())
	never.ExpiresAt = time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC)
	long := item("long-gone", policy.Everybody())
	long.ExpiresAt = time.Date(1066, 10, 14, 0, 0, 0, 0, time.UTC)
	epoch := item("epoch", policy.Everybody())
	epoch.ExpiresAt = time.Unix(0, 0)
	d := decide(t, newPoint(t, embedded(t), &memory{}), turn("user:ann"), never, long, epoch)
	var got []bool
	for _, r := range d.Results {
		got = append(got, r.Admit)
	}
	if !slices.Equal(got, []bool{true, false, false}) {
		t.Errorf("admitted %v", got)
	}
}
