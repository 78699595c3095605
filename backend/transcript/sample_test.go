package transcript_test

import "strings"

const (
	userLine      = `{"type":"message","id":"1f872888","parentId":"5ab4a468","timestamp":"2026-11-30T19:54:57.006Z","message":{"role":"user","content":[{"type":"text","text":"[Tue 2026-12-01 03:54 GMT+8] 最近在带娃，凌晨基本不看手机，别半夜推东西给我"}],"timestamp":1796068501407}}`
	assistantLine = `{"type":"message","id":"51ff29da","parentId":"1f872888","timestamp":"2026-11-30T19:54:57.021Z","message":{"role":"assistant","content":[{"type":"text","text":"Hi again! What shall we work on?"}],"api":"openai-completions","provider":"mock","model":"mock-small","usage":{"input":5762,"output":8,"cacheRead":5696,"cacheWrite":0,"totalTokens":11466,"cost":{"input":0.017286,"output":0.00012,"cacheRead":0.0017088,"cacheWrite":0,"total":0.019114799999999998}},"stopReason":"stop","timestamp":1796068496999}}`
)

// toolResultLine is a tool result with n bytes of output.
func toolResultLine(n int) []byte {
	return []byte(`{"type":"message","id":"7f0b1111","parentId":"51ff29da","timestamp":"2026-11-30T19:55:01.000Z","message":{"role":"toolResult","toolCallId":"call_1","toolName":"exec","content":[{"type":"text","text":"` + strings.Repeat("step ok\\n", n/9) + `"}],"isError":false}}`)
}
