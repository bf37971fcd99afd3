package policy

import (
	"encoding/json"
	"strings"
	"time"

	"earshot/policy/residual"
)

// chance is true once in n.
func (p *prober) chance(n int) bool { return p.rand.IntN(n) == 0 }

// sometimes puts something out of order.
func (p *prober) sometimes(change func()) {
	if p.chance(p.rarity) {
		change()
	}
}

// settle chooses how much is out of order in what comes next.
func (p *prober) settle() { p.rarity = []int{5, 12, 100}[p.rand.IntN(3)] }

// one returns one of some words, or one near to what the policy mentions at path.
func (p *prober) one(path string, words ...string) string {
	if mentioned := p.mentions[path]; len(mentioned) > 0 && p.chance(2) {
		text := mentioned[p.rand.IntN(len(mentioned))].Text
		return []string{text, strings.ToUpper(text), text + "x", "x" + text}[max(0, p.rand.IntN(6)-2)]
	}
	if len(words) == 0 {
		return ""
	}
	return words[p.rand.IntN(len(words))]
}

// some returns some of some names, and now and then one near to what the policy mentions. It is not nil.
func (p *prober) some(path string, names []string) []string {
	out := []string{}
	for _, name := range names {
		if p.chance(2) {
			out = append(out, name)
		}
	}
	if p.chance(4) {
		if name := p.one(path, names...); CheckPrincipal(name) == nil {
			out = append(out, name)
		}
	}
	return out
}

// instant returns a time around now, at the distances that the policy mentions at path and just beside
// them, or far away.
func (p *prober) instant(path string) time.Time {
	distances := []int64{0, 1, int64(time.Second), int64(time.Hour)}
	for _, mentioned := range p.mentions[path] {
		distances = append(distances, mentioned.Int)
	}
	d := distances[p.rand.IntN(len(distances))] + int64(p.rand.IntN(3)-1)
	switch p.rand.IntN(12) {
	case 0:
		return time.Unix(0, d).UTC()
	case 1:
		return time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)
	case 2:
		return time.Date(1, 1, 2, 0, 0, 0, 0, time.UTC)
	default:
		if p.chance(2) {
			d = -d
		}
		return p.now.Add(time.Duration(d))
	}
}

// attributes returns free JSON with the members that the policy mentions below path.
func (p *prober) attributes(path string) json.RawMessage {
	object := map[string]any{}
	for at := range p.mentions {
		names, ok := strings.CutPrefix(at, path+".")
		if !ok || p.chance(2) {
			continue
		}
		into := object
		steps := strings.Split(names, ".")
		for _, step := range steps[:len(steps)-1] {
			child, ok := into[step].(map[string]any)
			if !ok {
				child = map[string]any{}
				into[step] = child
			}
			into = child
		}
		into[steps[len(steps)-1]] = p.free(at)
	}
	if len(object) == 0 {
		object["note"] = p.one(path, probeWords...)
	}
	text, err := json.Marshal(object)
	if err != nil {
		return nil
	}
	return text
}

// free returns a JSON value of any type, near to what the policy mentions.
func (p *prober) free(path string) any {
	mentioned := p.mentions[path]
	if len(mentioned) > 0 && p.chance(2) {
		switch s := mentioned[p.rand.IntN(len(mentioned))]; s.Kind {
		case residual.Bool:
			return s.Int != 0
		case residual.Int:
			return s.Int + int64(p.rand.IntN(3)-1)
		case residual.String:
			return s.Text
		}
	}
	return []any{
		nil, true, false, 0, p.now.UnixNano() + int64(p.rand.IntN(3)-1), 1.5, "", "text", []any{"text"}, map[string]any{"a": 1},
	}[p.rand.IntN(10)]
}
