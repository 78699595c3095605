package demo

import (
	"time"

	"tidemark/backend/memory"
)

// zone is where the owner lives. It has no summer time, so no table of zones
// is needed.
var zone = time.FixedZone("CST", 8*60*60)

// home is where the invented OpenClaw believes to run: what it writes must not
// depend on where this copy lies.
const home = "/home/linyan/.openclaw"

// The models. The relay is unknown to every price list, so its calls have no
// price; the one on the owner's own machine is free.
var (
	opus   = &model{provider: "anthropic", id: "claude-opus-4-6", api: "anthropic-messages", window: 200_000, caches: true, rates: memory.Rates{Input: 5, Output: 25, CacheRead: 0.5, CacheWrite: 6.25}}
	sonnet = &model{provider: "anthropic", id: "claude-sonnet-4-6", api: "anthropic-messages", window: 200_000, caches: true, rates: memory.Rates{Input: 3, Output: 15, CacheRead: 0.3, CacheWrite: 3.75}}
	relay  = &model{provider: "harbor-relay", id: "deepseek-v3.2-kiln", api: "openai-completions", window: 128_000, caches: true}
	local  = &model{provider: "ollama", id: "qwen3:14b", api: "openai-completions", window: 65_536, local: true}
)

// persona is one agent of the installation.
type persona struct {
	id, name string
	keys     []place // its conversations
	before   byte    // era until the owner upgraded it
	era      byte    // era since
	models   []*model
	chinese  float64 // part of the talk that is Chinese, where a place does not say
	busy     float64 // scenes on a working day
	resets   int     // days between two /new
	notes    bool    // it keeps daily notes
}

// place is where a conversation goes on.
type place struct {
	key      string
	channel  string // "" for the owner's own chat
	subject  string // of a group
	label    string // of what runs by itself
	language string // "" for both
	share    float64
}

// cast are the agents, the default one first.
var cast = []persona{
	{id: "main", name: "Qing", keys: []place{{key: "agent:main:main", share: 1}}, before: eraFiles, era: eraDatabase,
		models: []*model{sonnet, opus}, chinese: 0.62, busy: 3.4, resets: 14, notes: true},
	{id: "mail", name: "Mail desk", keys: []place{{key: "agent:mail:main", share: 1}}, before: eraFiles, era: eraFiles,
		models: []*model{sonnet}, chinese: 0.4, busy: 1.5, resets: 16},
	{id: "books", name: "账房", keys: []place{{key: "agent:books:main", share: 1}}, before: eraSidecars, era: eraSidecars,
		models: []*model{relay}, chinese: 0.65, busy: 1.4, resets: 30, notes: true},
	{id: "shop", name: "门市", before: eraDatabase, era: eraDatabase, models: []*model{sonnet}, busy: 7.8,
		keys: []place{
			{key: "agent:shop:wechat:group:qingluo-friends", channel: "wechat", subject: "青螺窑·老友群", language: "zh", share: 0.7},
			{key: "agent:shop:telegram:group:-1002214077", channel: "telegram", subject: "Qingluo Kiln, friends", language: "en", share: 0.18},
			{key: "agent:shop:whatsapp:group:120363040011", channel: "whatsapp", subject: "Wholesale & cafés", language: "en", share: 0.12},
		}},
}

// owner is how the owner's messages are signed in a group.
const owner = "林砚"
