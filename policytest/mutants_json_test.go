package policytest_test

import (
	"bytes"
	"encoding/json"
	"regexp"

	"earshot/policy"
	"earshot/server/wire"
)

// fields is a JSON object.
type fields = map[string]any

// loosely reads JSON as most programs do: the last of two equal names counts.
func loosely(body []byte) (policy.Request, error) {
	root, err := parse(body)
	if err != nil {
		return strictly(body)
	}
	return decodeFields(root)
}

// whole is a mutant that changes a body before it is read. What is no JSON is refused as before: the
// mistake is about what the JSON says.
func whole(mistake, about string, change func(root fields)) mutant {
	return reads(mistake, about, func(body []byte) (policy.Request, error) {
		req, err := strictly(body)
		if refusal, ok := wire.AsError(err); ok && refusal.Code != wire.CodeInvalidRequest {
			return req, err
		}
		root, err := parse(body)
		if err != nil {
			return policy.Request{}, err
		}
		change(root)
		return decodeFields(root)
	})
}

// label is a mutant that changes the labels of candidates and of their sources.
func label(mistake, about string, change func(fields)) mutant {
	return whole(mistake, about, func(root fields) { eachLabel(root, change) })
}

// names is a mutant that reads every name of a participant as another.
func names(mistake, about string, read func(string) string) mutant {
	readAll := func(object fields, keys ...string) {
		for _, key := range keys {
			switch value := object[key].(type) {
			case string:
				object[key] = read(value)
			case []any:
				for i := range value {
					if name, ok := value[i].(string); ok {
						value[i] = read(name)
					}
				}
			}
		}
	}
	return whole(mistake, about, func(root fields) {
		if turn, ok := root["turn"].(fields); ok {
			readAll(turn, "agent", "viewers", "external_viewers", "revoked_viewers")
			for _, reading := range objects(turn["evidence"]) {
				readAll(reading, "viewers")
			}
		}
		if inheritance, ok := root["inheritance"].(fields); ok {
			readAll(inheritance, "authorized_agents")
		}
		eachLabel(root, func(l fields) { readAll(l, "agent", "audience") })
	})
}

// eachLabel calls visit with every candidate and every source.
func eachLabel(root fields, visit func(fields)) {
	var walk func(any)
	walk = func(list any) {
		for _, l := range objects(list) {
			visit(l)
			walk(l["sources"])
		}
	}
	walk(root["candidates"])
}

// objects returns the objects of a list.
func objects(list any) []fields {
	values, _ := list.([]any)
	var all []fields
	for _, value := range values {
		if object, ok := value.(fields); ok {
			all = append(all, object)
		}
	}
	return all
}

// parse reads a body as most programs do, with its numbers as they are written.
func parse(body []byte) (fields, error) {
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	var root fields
	err := decoder.Decode(&root)
	return root, err
}

func decodeFields(root fields) (policy.Request, error) {
	body, err := json.Marshal(root)
	if err != nil {
		return policy.Request{}, err
	}
	return strictly(body)
}

// known are the fields of a candidate in the contract.
func known(name string) bool {
	switch name {
	case "id", "audience", "audience_basis", "tenant", "channel", "agent", "shared", "confidential", "kind", "sources",
		"state", "recorded_at", "expires_at", "digest", "seal", "store", "attributes":
		return true
	}
	return false
}

// memberMeans reads an audience that has a member as a word.
func memberMeans(member, word string) func(fields) {
	return func(l fields) {
		members, _ := l["audience"].([]any)
		for _, name := range members {
			if name == member {
				l["audience"] = word
			}
		}
	}
}

// unless fills in a field that is not stated.
func unless(field string, value any) func(fields) {
	return func(l fields) {
		if _, stated := l[field]; !stated {
			l[field] = value
		}
	}
}

// timeAs rewrites an expiry that matches a pattern.
func timeAs(pattern, as string) func(fields) {
	matches := regexp.MustCompile(pattern)
	return func(l fields) {
		if text, ok := l["expires_at"].(string); ok {
			l["expires_at"] = matches.ReplaceAllString(text, as)
		}
	}
}

func anyOf(texts []string) []any {
	list := make([]any, len(texts))
	for i, text := range texts {
		list[i] = text
	}
	return list
}

func onlyTexts(list []any) []any {
	texts := []any{}
	for _, value := range list {
		if _, ok := value.(string); ok {
			texts = append(texts, value)
		}
	}
	return texts
}
