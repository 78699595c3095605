package secrets

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

// decode reads JSON that tests write with ' for ".
func decode(t *testing.T, text string) any {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(strings.ReplaceAll(text, "'", `"`)), &v); err != nil {
		t.Fatalf("decode %s: %v", text, err)
	}
	return v
}

func TestMaskJSON(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"scalars", `[1, true, null, 'x', 4.5]`, `[1, true, null, 'x', 4.5]`},
		{"keys", `{'apiKey': 'a', 'user': 'bob'}`, `{'apiKey': '[masked: API key]', 'user': 'bob'}`},
		{"nested", `{'a': [{'b': {'botToken': 'x1'}}]}`, `{'a': [{'b': {'botToken': '[masked: token]'}}]}`},
		{"text", `{'note': 'the pin is 4921'}`, `{'note': 'the pin is [masked: password]'}`},
		{"list", `{'passwords': ['a', 'b']}`, `{'passwords': ['[masked: password]', '[masked: password]']}`},
		{"object", `{'credentials': {'a': 'x', 'user': 'bob', 'list': ['y']}}`, `{'credentials': {'a': '[masked: token]', 'user': 'bob', 'list': ['[masked: token]']}}`},
		{"reference", `{'apiKey': {'source': 'env', 'provider': 'default', 'id': 'OPENAI_API_KEY'}}`, `{'apiKey': {'source': 'env', 'provider': 'default', 'id': 'OPENAI_API_KEY'}}`},
		{"variable", `{'apiKey': '${OPENAI_API_KEY}'}`, `{'apiKey': '${OPENAI_API_KEY}'}`},
		{"counts", `{'maxTokens': 4096, 'token': 4096, 'keepRecentTokens': '20000'}`, `{'maxTokens': 4096, 'token': 4096, 'keepRecentTokens': '20000'}`},
		{"numbers", `{'pin': 4921, 'password': 123456, 'cvv': 123}`, `{'pin': '[masked: password]', 'password': '[masked: password]', 'cvv': '[masked: password]'}`},
		{"switches", `{'password': true, 'token': null}`, `{'password': true, 'token': null}`},
		{"pairs", `[{'name': 'Authorization', 'value': 'Bearer abcdefgh'}, {'name': 'Accept', 'value': 'x'}]`,
			`[{'name': 'Authorization', 'value': 'Bearer [masked: token]'}, {'name': 'Accept', 'value': 'x'}]`},
		{"variables", `{'env': [{'key': 'DB_PASSWORD', 'value': 'x'}]}`, `{'env': [{'key': 'DB_PASSWORD', 'value': '[masked: password]'}]}`},
		{"mode", `{'auth': {'mode': 'token', 'token': 'abc'}}`, `{'auth': {'mode': 'token', 'token': '[masked: token]'}}`},
		{"empty", `{}`, `{}`},
		{"key as credential", `{'` + withLuhn("453912039485760") + `': 1}`, `{'[masked: card number]': 1}`},
		{"two keys as credentials", `{'` + withLuhn("453912039485760") + `': 1, '` + withLuhn("411111111111111") + `': 2}`,
			`{'[masked: card number]': 2, '[masked: card number] 2': 1}`},
	} {
		in := decode(t, c.in)
		got := MaskJSON(in)
		if want := decode(t, c.want); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %v\nwant %v", c.name, got, want)
		}
		if !reflect.DeepEqual(in, decode(t, c.in)) {
			t.Errorf("%s: the tree that was passed has changed", c.name)
		}
		if again := MaskJSON(got); !reflect.DeepEqual(again, got) {
			t.Errorf("%s: masking again gives %v", c.name, again)
		}
	}
}

// The copy shares nothing with the tree that was passed.
func TestMaskJSONCopies(t *testing.T) {
	in := map[string]any{"a": []any{map[string]any{"b": "c"}}, "s": []string{"x"}, "m": map[string]string{"k": "v"}}
	out := MaskJSON(in).(map[string]any)
	out["a"].([]any)[0].(map[string]any)["b"] = "changed"
	out["s"].([]string)[0] = "changed"
	out["m"].(map[string]string)["k"] = "changed"
	want := map[string]any{"a": []any{map[string]any{"b": "c"}}, "s": []string{"x"}, "m": map[string]string{"k": "v"}}
	if !reflect.DeepEqual(in, want) {
		t.Errorf("the tree that was passed has changed: %v", in)
	}
}

func TestMaskJSONOtherTypes(t *testing.T) {
	got := MaskJSON(map[string]any{
		"token": json.Number("12"), "pin": json.Number("4921"), "n": json.Number("7"), "headers": map[string]string{"Authorization": "Bearer " + opaque, "Accept": "x"},
		"passwords": []string{"a"}, "i": 3, "secret": []any{},
	})
	want := map[string]any{
		"token": json.Number("12"), "pin": "[masked: password]", "n": json.Number("7"), "headers": map[string]string{"Authorization": "Bearer [masked: token]", "Accept": "x"},
		"passwords": []string{"[masked: password]"}, "i": 3, "secret": []any{},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v\nwant %v", got, want)
	}
	if MaskJSON(nil) != nil {
		t.Error("nothing masked is something")
	}
}
