package demo

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// configure writes openclaw.json, with comments as a person leaves them.
func (s *story) configure(f folder) error {
	var b strings.Builder
	b.WriteString("{\n  // 青螺窑. One gateway, four agents; everything in here is invented.\n  agents: {\n    defaults: { userTimezone: 'Asia/Shanghai', model: { primary: 'anthropic/claude-sonnet-4-6' }, compaction: { reserveTokensFloor: 20000 } },\n    entries: {\n")
	for i, p := range cast {
		fmt.Fprintf(&b, "      %s: { name: '%s', ", p.id, p.name)
		if i == 0 {
			b.WriteString("default: true, ")
		}
		m := p.models[len(p.models)-1]
		fmt.Fprintf(&b, "model: { primary: '%s/%s' } },\n", m.provider, m.id)
	}
	b.WriteString("    },\n  },\n  models: {\n    mode: 'merge',\n    providers: {\n")
	b.WriteString("      anthropic: { baseUrl: 'https://api.anthropic.com', api: 'anthropic-messages', models: [\n")
	for _, m := range []*model{opus, sonnet} {
		fmt.Fprintf(&b, "        { id: '%s', contextWindow: %d, cost: { input: %v, output: %v, cacheRead: %v, cacheWrite: %v } },\n", m.id, m.window, m.rates.Input, m.rates.Output, m.rates.CacheRead, m.rates.CacheWrite)
	}
	b.WriteString("      ] },\n      // the relay sends no prices\n")
	fmt.Fprintf(&b, "      '%s': { baseUrl: 'https://relay.example/v1', api: 'openai-completions', models: [{ id: '%s', contextWindow: %d, cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } }] },\n", relay.provider, relay.id, relay.window)
	fmt.Fprintf(&b, "      %s: { baseUrl: 'http://127.0.0.1:11434/v1', api: 'openai-completions', models: [{ id: '%s', contextWindow: %d, cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } }] },\n", local.provider, local.id, local.window)
	b.WriteString("    },\n  },\n  gateway: { mode: 'local', bind: 'loopback', port: 18789 },\n}\n")
	return f.put("openclaw.json", []byte(b.String()), s.begin)
}

// workspace writes the files that an agent remembers by.
func (l *life) workspace(f folder) error {
	root := workspaceOf(l.who.id) + "/"
	fixed := map[string]string{
		"AGENTS.md":   "# AGENTS.md\n\nEvery session: read SOUL.md, USER.md, then today's and yesterday's notes in memory/.\n\n- 对外不报价，不说配方，不发门牌。\n- Drafts only. The owner sends.\n",
		"SOUL.md":     "# SOUL.md\n\n" + souls[l.who.id],
		"USER.md":     "# USER.md\n\n- 林砚（Lin Yan），一个人的陶艺工作室“青螺窑”。\n- Speaks Chinese and English; write back in the language of the message.\n- 时区 Asia/Shanghai。\n",
		"IDENTITY.md": "# IDENTITY.md\n\n- Name: " + l.who.name + "\n",
	}
	for _, name := range []string{"AGENTS.md", "SOUL.md", "USER.md", "IDENTITY.md"} {
		if err := f.put(root+name, []byte(fixed[name]), l.begin); err != nil {
			return err
		}
	}
	if err := f.put(root+"MEMORY.md", l.longMemory(), l.end); err != nil {
		return err
	}
	return l.dailyNotes(f, root+"memory/")
}

var souls = map[string]string{
	"main":  "You are Qing（小青）, calm and brief. 先做事，后说话。不确定就问。\n",
	"mail":  "You are the mail desk. Short, warm, no exclamation marks. You never send.\n",
	"books": "你是账房。数字要对得上，对不上就说对不上。\n",
	"shop":  "你是门市。对客人耐心，不替师傅做主。Be kind, promise nothing.\n",
}

// longMemory is what the agent has kept of what was said: not all of it.
func (l *life) longMemory() []byte {
	var b strings.Builder
	b.WriteString("# MEMORY.md\n")
	for _, kind := range []string{Rule, Preference, Fact} {
		fmt.Fprintf(&b, "\n## %s\n", map[string]string{Rule: "Rules 规矩", Preference: "Preferences 偏好", Fact: "Facts 事实"}[kind])
		for i, s := range l.statements() {
			// Nobody has put back yet what the last night lost.
			if s.Kind == kind && (s.Lost == "" || i%3 == 0 && s.At.Before(l.end.Add(-2*finale))) {
				fmt.Fprintf(&b, "- %s (%s)\n", s.Text, s.At.In(zone).Format(time.DateOnly))
			}
		}
	}
	return []byte(b.String())
}

func (l *life) statements() []Statement {
	return slices.DeleteFunc(slices.Clone(l.truth.Statements), func(s Statement) bool { return s.Agent != l.who.id })
}

// dailyNotes writes a note for most days on which something was said to an
// agent that keeps notes.
func (l *life) dailyNotes(f folder, root string) error {
	if !l.who.notes {
		return nil
	}
	days := map[string][]string{}
	last := map[string]time.Time{}
	for _, s := range l.statements() {
		day := s.At.In(zone).Format(time.DateOnly)
		days[day], last[day] = append(days[day], "- "+s.Text), s.At
	}
	for _, d := range l.diary {
		day := d.at.In(zone).Format(time.DateOnly)
		days[day], last[day] = append(days[day], "- "+d.at.In(zone).Format("15:04")+" "+d.topic), d.at
	}
	for day, points := range days {
		if err := f.put(root+day+".md", []byte("# "+day+"\n\n"+strings.Join(points, "\n")+"\n"), last[day]); err != nil {
			return err
		}
	}
	return nil
}
