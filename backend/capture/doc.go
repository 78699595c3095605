// Package capture finds in one message what a person stated for good: wants,
// boundaries and facts. It uses no model, no clock and no files: the same
// message always gives the same items.
//
// A message goes through these steps:
//
//  1. What is not the person's own words is blanked out: what OpenClaw put
//     around them, code, logs, quoted replies, pasted chats. Offsets stay.
//  2. The rest is folded for matching, code point by code point: lower case,
//     narrow, simplified Chinese.
//  3. It is cut into tokens (a Latin word, a number, a CJK character, a sign, or
//     a whole quotation), sentences and clauses.
//  4. One walk over a trie tags the tokens with the classes of words that begin
//     there.
//  5. Guards say which clauses state nothing: questions, suppositions, orders
//     for once, drafts. Rules say which clauses state something.
//  6. A statement's span is grown over the clauses that belong to it.
//
// # Words
//
// Files words/*.txt hold classes of words. "[name]" opens a class, or adds to
// it where another file opened it; words follow, with commas between, on the
// same line and those below. "#" begins a comment line. A word may hold spaces;
// it is matched at word boundaries where it is Latin. A star at the end of a
// Latin word stands for any ending ("allerg*"). "word=7" gives the word a value
// (months, weekdays, periods). Words are folded like messages are: write
// simplified or traditional characters, capitals or not.
//
// Files words/alias-*.txt hold lines "written = word": how people also write a
// word. An apostrophe may always be missing.
//
// Classes that the code itself looks for:
//
//	filler       opens a clause without saying anything (btw, oh, 对了): "^" looks past it
//	break        begins a clause where no sign does (because, but, and i, 另外, 还有就是);
//	             a longer word with the value "no" does not (so that=no)
//	start        begins a clause in long speech without punctuation (我, 后来); with the
//	             value "no" it does not, and none within it does (帮我=no)
//	particle     ends one (啊, 吧)
//	lead         a clause that begins so belongs to the statement behind it (when, if, 凡是, 没有)
//	tail         a clause that begins so belongs to the statement before it (unless, except, 超了)
//	coda         a whole short sentence of these belongs to the statement before it (Always. Ever.)
//	apart        a clause that begins so does not belong to the statement before it (so, because, can you)
//	fresh        a clause that begins so is no part of what a guard says of the clauses before it
//	subject      a long clause that holds one stands for itself (i, you, he, 我, 你)
//	if           makes a sentence that asks a hypothetical one
//	tag-question ends a clause that is none although it asks (ok?, 好吗？)
//	solid        within such a word no other begins (特别 is no 别)
//	period       value: day, night, tomorrow, weekend, week, next-week, month, next-month, quarter, year,
//	             or none ("starting today=": it ends nothing)
//	month        value: 1 to 12
//	weekday      value: 1 (Monday) to 7
//	until        stands before the date until which something holds (until, through, 到, 直到)
//	until-after  stands behind it (之前, 以前, 为止)
//	secret       announces a credential: a clause in which something that may be one stands
//	             beside it states nothing
//	own          the person speaks of themselves (i, my, we, 我)
//	field        name of a field of one's own card: "地址：…" is no line of a chat
//
// # Rules
//
// Files rules/*.txt hold rules and guards; a file's name begins with its
// language. Those of zh, ja and ko see only sentences in which their script
// stands, also beside Latin words. A rule:
//
//	rule en-rather W
//	match ^ @i-would rather ~~
//	unless @once
//	fires: I'd rather hear bad news first
//	not: I'd rather you sent this one today
//
// The first line names it and gives its tag (W, B, O); behind it may stand
//
//	weight=N   which of two rules has a clause: the higher (else B 6, W 5, O 4)
//	span=match the span begins where the match does, not where its clause does
//	join=none  the span is not grown over other clauses
//	ask=yes    it may fire in a clause that asks ("could you always …?")
//	once=yes   guards of scope once do not stop it
//	order=yes  guards of scope task stop it: it finds orders that could as well be
//	           conditions of the task at hand
//	own=yes    it fires only where a word of class own stands in the sentence or the
//	           message is short: it would find much in a pasted text
//	while=yes  a word of class period ("this week") says how long it holds: the
//	           item gets an Until and is an O. So it is for W and B; an O needs
//	           the option, since an event of today holds longer
//
// Each "match" line is a pattern, one of which must fit. "unless" and "needs"
// give classes, with "|" between, that must not, or must, occur in the clauses
// that the match touches; of several "needs" lines all must hold. Each "fires"
// and "not" line is a whole message and a test: the rule finds, or does not
// find, something in it.
//
// A guard:
//
//	guard en-draft after tags=WB
//	match ^ @draft ~ @piece
//	stops: Draft a tweet: I always choose quality
//	lets: When you draft a tweet, keep it short
//
// Its scope says what states nothing where it matches: "clause" (those that the
// match touches), "rest" (from there to the end of the sentence), "sentence",
// "next" (the sentence and the one behind it), "after" (from there to the end
// of the message), "message"; "ask" says that the clause asks; "once" is clause,
// but rules with once=yes, and facts, pass; "once-rest" is once up to the end of
// the sentence. "rest" and "once-rest" end before a clause that begins with a
// word of class break or fresh. "tags=WB" limits it to such items.
// "unless" and "needs" are those of rules. In "stops" nothing is found, in
// "lets" something is.
//
// A pattern is a row of elements with spaces between:
//
//	word        the word itself, "_" for a space in it
//	@class      a word of the class
//	a|@b        one of them
//	!a|@b  !%   none of them stands here
//	x?  x*      may be missing; any number of times
//	~  ~5  ~~   up to 3, up to 5, any number of tokens of the clause
//	.           exactly one token
//	:           a colon
//	,           a sign that parts clauses, or the place before a "break" word
//	^  $        beginning of a clause (past fillers, or not), its end
//	#           a number
//	%           a word with a capital, or a quotation
//	%s          a Latin word that looks like an English plural
//	-ed         a Latin word with that ending
//
// Suffixes, "#", "%" and "%s" may stand among alternatives. All but "," and ":"
// stay within a clause. A pattern needs at least one word or class that is not
// optional.
package capture
