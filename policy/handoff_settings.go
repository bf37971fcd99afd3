package policy

import (
	"encoding/json"
	"strconv"
)

// readHandoffSettings reads the settings that the engine's own test of hand-offs shares with the policy,
// whose form the policy's self-check has checked. Without them they are the strictest: no hand in between,
// and a seal.
func readHandoffSettings(data map[string]any) (chainLimit int, sealRequired bool) {
	settings, _ := childOf(data, "earshot", "settings")
	number, _ := settings["handoff_chain_limit"].(json.Number)
	if n, err := strconv.Atoi(number.String()); err == nil {
		chainLimit = max(n, 0)
	}
	return chainLimit, settings["seal_required"] != false
}
