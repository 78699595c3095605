package secrets

// linkKind is what a word does between a credential word and a value.
type linkKind uint8

const (
	linkSmall linkKind = iota // says nothing: "now", 我的
	linkVerb                  // says that a value follows: is, 是
	linkTurn                  // says that the value changes: to, 改成
	linkVague                 // points at something: "your", "the"
)

// linkWords are words by what they do.
type linkWords map[string]linkKind

// of gives the kind of an English word in either case.
func (l linkWords) of(word string) (linkKind, bool) {
	var low [longestWord]byte
	if len(word) > len(low) {
		return 0, false
	}
	for i := 0; i < len(word); i++ {
		low[i] = lowered(word[i])
	}
	kind, ok := l[string(low[:len(word)])]
	return kind, ok
}

func linking(turns, verbs, small, vague []string) linkWords {
	l := make(linkWords, len(turns)+len(verbs)+len(small)+len(vague))
	for _, w := range small {
		l[w] = linkSmall
	}
	for _, w := range vague {
		l[w] = linkVague
	}
	for _, w := range verbs {
		l[w] = linkVerb
	}
	for _, w := range turns {
		l[w] = linkTurn
	}
	return l
}

var englishLinks = linking(
	[]string{"to", "into", "from", "as"},
	[]string{"is", "are", "was", "were", "be", "equals", "becomes", "became", "reads"},
	[]string{"now", "still", "currently", "just", "actually", "probably", "not", "also", "set", "changed", "reset",
		"updated", "switched", "been", "being", "has", "have", "had", "got", "should", "will", "would", "must", "might",
		"may", "already", "came", "arrived", "through", "really", "simply", "again", "today", "only", "back", "always", "temporarily", "here", "below",
		"code", "number", "no", "value", "field", "entered", "used", "remains"},
	[]string{"it", "using", "use", "the", "my", "your", "this", "that", "one", "like", "a", "an", "our", "in", "new", "old", "other"},
)

// phraseVerbs join after a phrase of other words, where "to" would be one more
// of them.
var phraseVerbs = words("is", "are", "was", "were", "equals", "becomes", "became", "should", "will", "has", "remains")

var prepositions = words("for", "of", "on", "at", "in", "to", "with", "from", "under", "inside")

// relatives begin a clause about the word before it: "the password they gave me
// is".
var relatives = words("they", "i", "we", "you", "he", "she", "that", "which")

// closeLinks are the joining words of languages without spaces between words,
// none longer than six characters.
var closeLinks = linking(
	[]string{"改成", "改為", "改为", "换成", "換成", "换为", "換為", "改到", "变成", "變成", "变为", "變為", "更新为", "更新為",
		"重置为", "重設為", "重设为", "调整为", "調整為", "换到", "到"},
	[]string{"是", "为", "為", "设为", "設為", "设成", "設成", "设置为", "设置成", "設定為", "設定成", "等于", "等於", "叫", "用", "填",
		"输入", "輸入", "输", "打", "写", "寫", "即", "从", "從", "由", "乃", "系", "新しいのは", "は", "が", "を", "に", "는", "은", "이", "가", "을", "를"},
	[]string{"的", "了", "我", "你", "您", "它", "他", "她", "我的", "你的", "您的", "现在", "現在", "目前", "当前", "當前", "已", "已经", "已經",
		"还", "還", "就", "都", "也", "又", "刚", "剛", "刚刚", "剛剛", "先", "暂时", "暫時", "应该", "應該", "一直", "被", "统一", "統一",
		"默认", "默認", "預設", "预设", "初始", "临时", "臨時", "这里", "這裡", "如下", "六位", "四位", "八位", "在这", "在這", "给你", "給你", "发你", "發你", "发给你",
		"發給你", "告诉你", "告訴你", "记一下", "記一下", "记下", "記下", "号", "號", "码", "碼", "今天", "昨天", "的话", "的話", "呢", "啊", "哈",
		"嘛", "哦", "新", "新的", "旧", "舊", "可能", "好像", "大概", "其实", "其實", "不", "仍", "仍然", "全", "全都", "设", "設", "收到", "来了",
		"這個", "这个", "请", "請", "把", "其中", "仅", "只", "使用", "最新", "我这", "改", "换", "換", "設置", "设置", "設定", "番号", "変更",
		"跟以前", "和以前", "跟之前", "和之前", "一样", "一樣", "変えました", "変わりました",
		"锁", "鎖", "忘了告诉你", "忘了告訴你", "忘记告诉你", "忘記告訴你", "别告诉别人", "別告訴別人", "不要告诉别人", "别外传", "別外傳", "忘说了", "忘說了", "忘了说", "忘了說", "说一下", "說一下", "补一下", "補一下",
		"です", "も", "新しい", "現在の", "현재", "지금", "번호", "값"},
	nil,
)
