package policy

import (
	"encoding/json"
	"strconv"
)

// OverlapThreshold returns from how many shared fingerprints on a text in a context counts as that of a
// denied item, for CheckContext.
func (e *Engine) OverlapThreshold() int { return e.overlap }

// readOverlap reads the setting overlap_fingerprints, whose form the policy's self-check has checked.
// Without a number of at least 1 it is the strictest one.
func readOverlap(data map[string]any) int {
	settings, _ := childOf(data, "earshot", "settings")
	number, _ := settings["overlap_fingerprints"].(json.Number)
	n, err := strconv.Atoi(number.String())
	if err != nil {
		return 1
	}
	return max(n, 1)
}
