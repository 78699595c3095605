package demo

import (
	"fmt"
	"strings"
	"time"
)

// voice is where the words of one agent come from: scenes in an order that
// repeats none before all were played, and statements once only.
type voice struct {
	phrases map[string]*phrases
	bags    map[string][]int // language → scenes that are still in the bag
	stated  map[string]bool  // topics of scenes in which something was stated
	last    map[string]int   // language → scene that was played last, from 1 on
}

func newVoice(p map[string]*phrases) *voice {
	return &voice{phrases: p, bags: map[string][]int{}, stated: map[string]bool{}, last: map[string]int{}}
}

// next gives a scene for a thread in a language.
func (v *voice) next(t *thread, lang string) *scene {
	all := v.phrases[lang].scenes[t.who.id]
	for range 4 * len(all) {
		if len(v.bags[lang]) == 0 {
			v.bags[lang] = t.rng.Perm(len(all))
		}
		n := v.bags[lang][0]
		v.bags[lang] = v.bags[lang][1:]
		// People tell of themselves over months, not all in the first week.
		if v.last[lang] == n+1 || all[n].states() && (v.stated[lang+all[n].topic] || t.rng.IntN(3) > 0) {
			continue
		}
		v.last[lang], v.stated[lang+all[n].topic] = n+1, true
		return &all[n]
	}
	return &all[0]
}

// language decides in which language a scene is.
func (t *thread) language() string {
	switch {
	case t.where.language != "":
		return t.where.language
	case t.rng.Float64() < t.who.chinese:
		return "zh"
	}
	return "en"
}

// play lets a scene happen and gives what it was about. It stops before a turn
// that would begin after end, and then gives "".
func (v *voice) play(t *thread, end time.Time) string {
	t.lang = t.language()
	return v.perform(t, v.next(t, t.lang), t.lang, end)
}

// perform plays one scene in a language, as play does.
func (v *voice) perform(t *thread, s *scene, lang string, end time.Time) string {
	t.lang = lang
	t.steer(s.calls())
	f := &filler{phrases: v.phrases[t.lang], rng: t.rng, bound: map[string]string{}}
	speaker := owner
	if t.where.channel != "" {
		speaker = f.fill("{customer}")
	}
	for i := range s.turns {
		t.pass(20*time.Second, 4*time.Minute)
		if t.at.After(end) {
			return ""
		}
		v.turn(t, f, &s.turns[i], speaker)
	}
	topic := f.fill(s.topic)
	t.topics = append(t.topics, topic)
	t.settle()
	return topic
}

// turn is one exchange: what a person says, what the agent looks up, what it
// answers.
func (v *voice) turn(t *thread, f *filler, one *turn, speaker string) {
	t.background = false
	said := f.fill(one.user)
	images := 0
	if one.image {
		images = 1
	}
	id := t.say(t.envelope(said, speaker, f), images, t.about(speaker))
	if one.kind != "" {
		if one.forgotten {
			t.doomed = append(t.doomed, len(t.truth.Statements))
		}
		t.stated = append(t.stated, len(t.truth.Statements))
		t.truth.Statements = append(t.truth.Statements, Statement{Agent: t.who.id, Session: t.id, Entry: id, Speaker: speaker, Kind: one.kind, Text: said, At: t.at})
	}
	if t.toward == 0 && t.rng.IntN(220) == 0 { // a steered course counts its calls
		t.fail("529 overloaded_error: Overloaded")
	}
	if one.tool != "" {
		output, failed := v.output(f, one.tool)
		t.use(one.tool, f.fill(one.args), output, failed)
		if failed { // it tries once more, as agents do
			output, _ = v.output(f, "retry")
			t.use(one.tool, f.fill(one.args), output, false)
		}
	}
	t.answer(text(f.fill(one.answer)), "stop")
}

// rowsOf says which rows the output of a tool has.
var rowsOf = map[string]string{"mail_search": "mail", "browser": "page", "web_search": "page"}

// output invents what a tool gives. Now and then it fails.
func (v *voice) output(f *filler, tool string) (string, bool) {
	if tool != "retry" && f.rng.IntN(18) == 0 {
		return f.fresh().fill(pick(f.rng, f.rows["error"])), true
	}
	kind := rowsOf[tool]
	if kind == "" {
		kind = "file"
	}
	n := 5 + f.rng.IntN(18)
	if tool == "memory_search" {
		n = 2 + f.rng.IntN(3)
	}
	lines := make([]string, n)
	for i := range lines {
		lines[i] = f.fresh().fill(pick(f.rng, f.rows[kind]))
	}
	return strings.Join(lines, "\n"), false
}

// envelope puts around a person's words what that OpenClaw writes with them.
func (t *thread) envelope(said, speaker string, f *filler) string {
	if t.where.channel != "" {
		return t.groupEnvelope(said, speaker, f)
	}
	if t.era == eraFiles {
		return t.at.In(zone).Format("[Mon 2006-01-02 15:04 GMT+8] ") + said
	}
	return said
}

// contextMark stands behind the heads of 2026.9's own blocks.
const contextMark = " ⟦openclaw:ctx⟧\n"

func (t *thread) groupEnvelope(said, speaker string, f *filler) string {
	info := encode(struct {
		ID      string `json:"message_id"`
		Channel string `json:"channel"`
		Subject string `json:"group_subject"`
		Sender  string `json:"sender"`
		At      string `json:"timestamp"`
	}{fmt.Sprint(10_000 + t.rng.IntN(80_000)), t.where.channel, t.where.subject, speaker, t.at.In(zone).Format("Mon 2006-01-02 15:04 GMT+8")})
	head := "Conversation info:" + contextMark + "```json\n" + string(info) + "\n```\n\n"
	if t.rng.IntN(4) > 0 {
		return head + said
	}
	other := f.fresh()
	chat := pick(t.rng, gossip[t.lang])
	return head + "[Chat messages since your last reply - for context]\n" + other.fill("{customer}") + ": " + other.fill(chat) + "\n\n[Current message - respond to this]\n" + said
}

// gossip is what others say in a group before somebody asks.
var gossip = map[string][]string{
	"zh": {"今天{city}下雨了", "刚开完窑的照片也太好看了", "{item}我也想要一个", "晒一下我家的{item}", "群里有人去{market}吗", "等新品等得好苦"},
	"en": {"it's raining in {city} again", "those kiln photos!", "I'd love one of the {item} too", "mine is full of pens now", "anyone going to {market}?", "waiting for the next firing like a child"},
}

// about is what 2026.9 notes of a message beside its text.
func (t *thread) about(speaker string) map[string]any {
	about := map[string]any{"senderIsOwner": t.where.channel == ""}
	if t.where.channel != "" {
		about["senderName"], about["transport"] = speaker, map[string]any{"channel": t.where.channel}
	}
	return about
}

// heartbeat is the periodic wake-up of which nearly nothing comes.
func (v *voice) heartbeat(t *thread) {
	t.background = true
	t.say("Read HEARTBEAT.md if it exists (workspace context). Follow it strictly. Do not infer or repeat old tasks from prior chats. If nothing needs attention, reply HEARTBEAT_OK."+
		t.at.In(zone).Format("\nCurrent time: Monday, January 2, 2006 - 15:04 (Asia/Shanghai)"), 0, nil)
	if t.rng.IntN(12) == 0 {
		t.use("exec", `{"command":"python3 kiln/log.py --last 6"}`, "02:10 412 C\n02:20 409 C\n02:30 405 C\n02:40 401 C\n02:50 398 C\n03:00 394 C", false)
	}
	t.answer(text("HEARTBEAT_OK"), "stop")
	t.settle()
}

// job is what a scheduled job asks for and what comes of it.
type job struct{ id, name, order, report string }

var digest = job{"digest-0830", "Morning digest", "把昨天到今早的邮件整理成一段话，只说需要林砚本人处理的。",
	"昨晚到今早 {n} 封邮件，需要你看的两封：{customer}问{item}能不能{soon}取；{supplier}的对账单等你点头。其余已归档。"}

var weekly = job{"weekly-books", "周账小结", "汇总本周收支，和上周比，列出没对上的。",
	"本周收入比上周多一点，{item}最好卖；支出主要是{clay}和运费。一笔没对上：{supplier}，{order}，等发票。"}

// What runs by itself in the last night.
var (
	filing  = job{"filing-night", "夜里归档", "把没归档的往来邮件逐封归档，附件另存，天亮前做完。", "又归档了 {n} 封，多是{supplier}和{customer}的往来；附件都另存了，没有要你处理的。"}
	kilnLog = job{"kiln-log", "窑温记录", "看一眼窑温记录，只有不对劲才说。", "窑温正常，{temp}℃ 那窑还在降温，{glaze}的试片{soon}可以取。"}
)

// cron is a run of a scheduled job.
func (v *voice) cron(t *thread, j job) {
	t.background, t.lang = true, "zh"
	t.steer(2)
	t.say(fmt.Sprintf("[cron:%s %s] %s", j.id, j.name, j.order)+t.at.In(zone).Format("\nCurrent time: Monday, January 2, 2006 - 15:04 (Asia/Shanghai)"), 0, nil)
	f := &filler{phrases: v.phrases["zh"], rng: t.rng, bound: map[string]string{}}
	output, failed := v.output(f, "mail_search")
	t.use("mail_search", `{"query":"newer_than:1d","limit":30}`, output, failed)
	t.answer(text(f.fill(j.report)), "stop")
	t.topics = append(t.topics, j.name)
	t.settle()
}

// greet is what follows /new.
func (v *voice) greet(t *thread) {
	t.background = false
	t.say("A new session was started via /new or /reset. Greet the user in your configured persona. Keep it to 1-3 sentences and ask what they want to do.", 0, t.about(owner))
	t.answer(text(pick(t.rng, []string{"在的，今天先看什么？", "新的一页。昨天的事我都记着，要接着弄哪一件？", "Here. What shall we start with?", "Fresh page, same kiln. What first?"})), "stop")
}
