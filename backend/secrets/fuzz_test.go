package secrets

import (
	"encoding/json"
	"reflect"
	"testing"
)

func FuzzMask(f *testing.F) {
	for _, seed := range []string{
		"", "pwd=" + simple, "密码是" + simple, "the pin is " + digits4, `{\"password\":\"` + simple + `\"}`, "login: bob / " + mixed, "password \"", "seed phrase: a b c",
		"Authorization: Bearer " + opaque, "Cookie: sid=" + opaque, "https://u:" + simple + "@h/", "eyJ0.eyJ0", keyBlock("PRIVATE KEY", `\n`), "-----BEGIN PRIVATE KEY-----",
		withLuhn("453912039485760"), withCheck(fake("110105", "19491231", "002")), "[masked: password] is [masked: token]", "密码（", "password ->", "483 920 is your code",
	} {
		f.Add(seed)
	}
	for _, p := range pieces {
		f.Add("password " + p + " 密码" + p)
	}
	for _, text := range []string{"algolia = " + opaque, "kind: Secret\ndata:\n  a: " + opaque, "discord_token: " + opaque + opaque, "curl -H 'X-Api-Key: " + opaque + "'"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		checkPromises(t, text)
		checkEdits(t, text)
	})
}

func FuzzMaskJSON(f *testing.F) {
	for _, seed := range []string{`{"apiKey":"a","b":[1,"pin is 4921"]}`, `{"name":"TOKEN","value":"x"}`, `"x"`, `{"credentials":{"a":{"b":1}}}`, `{"pin":4921}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var v any
		if json.Unmarshal(data, &v) != nil {
			return
		}
		before, _ := json.Marshal(v)
		got := MaskJSON(v)
		if after, _ := json.Marshal(v); string(after) != string(before) {
			t.Fatalf("the tree that was passed has changed: %s", after)
		}
		if again := MaskJSON(got); !reflect.DeepEqual(again, got) {
			t.Fatalf("masking again changes %v to %v", got, again)
		}
	})
}

func FuzzSecretKey(f *testing.F) {
	for _, seed := range []string{"apiKey", "MAX_TOKENS", "x-api-key", "密码", "APIKeysOf2"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, key string) {
		list, n := parts(key)
		last := 0
		for _, p := range list[:n] {
			if p.from < last || p.to <= p.from || p.to > len(key) {
				t.Fatalf("parts(%q): %d to %d after %d", key, p.from, p.to, last)
			}
			last = p.to
		}
		if got := MaskValue(key, MaskValue(key, "abc12345")); got != MaskValue(key, "abc12345") {
			t.Fatalf("MaskValue(%q) is not idempotent: %q", key, got)
		}
	})
}
