package secrets

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
)

// MaskValue is Mask for the value of a configuration key: where SecretKey says
// that the key names a credential, the whole value is replaced. What only
// stands for a value, such as "" or ${TOKEN}, stays; so does the scheme of an
// authorization.
func MaskValue(key, value string) string {
	kind, r := keyKind(key)
	if kind == markNone {
		return Mask(value)
	}
	return maskNamed(value, kind, r)
}

func maskNamed(value string, kind mark, r rule) string {
	if placeholder(value) || markAt(value, 0) == len(value) {
		return value
	}
	switch r {
	case ruleCode, ruleCVV: // "pin": "GPIO4" names a part
		if !hasDigits(value, 3) {
			return Mask(value)
		}
	case ruleCount: // "token": "4096" counts
		if len(value) < 6 && run(value, 0, isDigit, len(value)) == len(value) {
			return value
		}
	}
	if r == ruleHeader || r == ruleOpaque || r == ruleCount {
		if end := run(value, 0, isName, len(value)); schemes.has(value[:end]) && byteAt(value, end) == ' ' {
			return value[:end+1] + maskNamed(value[end+1:], kind, ruleNone)
		}
	}
	return kind.String()
}

// MaskJSON gives a deep copy of a decoded JSON tree in which all credentials
// are masked: strings by Mask, and what stands under a key that names a
// credential by MaskValue, lists and objects under it included. It follows
// map[string]any, []any, map[string]string and []string; other values are
// returned as they are.
func MaskJSON(v any) any { return maskTree(v, markNone, ruleNone) }

// maskTree masks v, which stands under a key of the kind.
func maskTree(v any, kind mark, r rule) any {
	switch v := v.(type) {
	case string:
		return maskLeaf(v, kind, r)
	case json.Number:
		if kind != markNone && countless(r) {
			return kind.String()
		}
		return v
	case float64:
		if kind != markNone && countless(r) {
			return kind.String()
		}
		return v
	case []any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = maskTree(v[i], kind, r)
		}
		return list
	case []string:
		list := make([]string, len(v))
		for i := range v {
			list[i] = maskLeaf(v[i], kind, r)
		}
		return list
	case map[string]any:
		return maskObject(v, kind, r)
	case map[string]string:
		object := make(map[string]string, len(v))
		for _, key := range slices.Sorted(maps.Keys(v)) {
			k, kr := under(key, kind, r)
			object[freeKey(object, Mask(key))] = maskLeaf(v[key], k, kr)
		}
		return object
	}
	return v
}

func maskLeaf(text string, kind mark, r rule) string {
	if kind == markNone {
		return Mask(text)
	}
	return maskNamed(text, kind, r)
}

// countless says that a number under a key of the rule is a credential and
// counts nothing.
func countless(r rule) bool { return r == ruleAny || r == ruleCode || r == ruleCVV }

// maskObject masks an object. In one that pairs a name with a value, as lists
// of variables and headers do, the name says what the value is.
func maskObject(v map[string]any, kind mark, r rule) map[string]any {
	object := make(map[string]any, len(v))
	named, namedRule := nameIn(v)
	for _, key := range slices.Sorted(maps.Keys(v)) {
		k, kr := under(key, kind, r)
		if named != markNone && key == "value" {
			k, kr = named, namedRule
		}
		object[freeKey(object, Mask(key))] = maskTree(v[key], k, kr)
	}
	return object
}

// nameIn gives the kind of credential that an object names in a field beside
// its "value".
func nameIn(v map[string]any) (mark, rule) {
	if _, ok := v["value"]; !ok {
		return markNone, ruleNone
	}
	for _, field := range []string{"name", "key", "header", "field", "label", "id"} {
		if name, ok := v[field].(string); ok {
			if kind, r := keyKind(name); kind != markNone {
				return kind, r
			}
		}
	}
	return markNone, ruleNone
}

// about are keys of an object that stands in place of a credential which say
// where it comes from or what it is, not what it is made of.
var about = words("source", "provider", "id", "type", "mode", "env", "file", "path", "name", "user", "username", "email",
	"host", "url", "kind", "enabled", "description", "format", "scheme", "label")

// under gives the kind that a key has within an object of a kind.
func under(key string, kind mark, r rule) (mark, rule) {
	if own, ownRule := keyKind(key); own != markNone {
		return own, ownRule
	}
	if about.has(key) {
		return markNone, ruleNone
	}
	return kind, r
}

// freeKey gives the key, or with a number after it if masking made it equal to
// another one, so that no entry is lost.
func freeKey[V any](object map[string]V, key string) string {
	if _, taken := object[key]; !taken {
		return key
	}
	for n := 2; ; n++ {
		next := key + " " + strconv.Itoa(n)
		if _, taken := object[next]; !taken {
			return next
		}
	}
}
