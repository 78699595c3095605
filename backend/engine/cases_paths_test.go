package engine

import (
	"testing"

	"tidemark/backend/api"
)

// TestJ116WindowsPaths: a home that was copied from Windows is read on any
// host. Its paths are shown as they are, and the files that its rows name are
// those in the folder.
func TestJ116WindowsPaths(t *testing.T) {
	w := newWorld(t)
	w.write("openclaw.json", `{"agents":{"list":[{"id":"agent-4ad46fb4","name":"码农","workspace":"C:\\Users\\Administrator\\.qclaw\\workspace-agent-4ad46fb4"}]}}`)
	w.write(S("sessions.json", "agent-4ad46fb4"), `{"agent:agent-4ad46fb4:main":{"sessionId":"row","updatedAt":1778371200000,"label":"the talk","sessionFile":"C:\\Users\\Administrator\\.qclaw\\agents\\agent-4ad46fb4\\sessions\\file.jsonl"}}`)
	w.lines(S("file.jsonl", "agent-4ad46fb4"), head("other", 0), said("u1", "", 1, "你好"), reply("a1", "u1", 2, 100, 10, "0.1"))
	w.lines(S("agent:main:main.jsonl.lock", "agent-4ad46fb4"), `{"pid":1}`)
	e := w.open()
	e.scan()
	agents, err := e.Agents(t.Context(), api.Query{})
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range agents {
		if a.ID == "agent-4ad46fb4" && (a.Name != "码农" || a.Workspace != `C:\Users\Administrator\.qclaw\workspace-agent-4ad46fb4`) {
			t.Errorf("the agent is %+v", a)
		}
	}
	all := e.sessions()
	if len(all) != 1 || all[0].SessionKey != "agent:agent-4ad46fb4:main" || all[0].Title != "the talk" || all[0].Messages != 2 {
		t.Errorf("sessions: %+v", all)
	}
}
