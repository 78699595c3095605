// What invented people stated: in the conversations of the invented world, and
// in others that OpenClaw no longer has.

/** A phrase of fakeLines that is a statement: its words, tag and rule, and for how many days it holds. */
export const fakePhrases: [words: string, tag: string, rule: string, days?: number][] = [
  ['Don’t push me anything after midnight', 'B', 'en-dont-me'],
  ['Answer her in French.', 'W', 'en-style'],
  ['Weekly report: three bullet points, no tables.', 'W', 'en-standing'],
  ['Lead time for celadon is six weeks now', 'O', 'en-have'],
  ['quote prices **without VAT**, rounded to ten euro', 'W', 'en-always'],
  ['釉料供应商 12 月 2 日到 9 日停工', 'O', 'zh-for-now', 6],
  ['期间不要催单', 'B', 'zh-any-not', 6],
];

/** What else was said: whoever is not named is the owner. */
export interface Told {
  agent: string;
  tag: string;
  text: string;
  rule: string;
  daysAgo: number;
  /** The whole message; the text alone where it is not given. */
  message?: string;
  speaker?: string;
  name?: string;
  channel?: string;
  chat?: string;
  scope?: string;
  /** For how many days it holds. */
  days?: number;
  /** How often it was said again. */
  again?: number;
  pinned?: boolean;
  byHand?: boolean;
  /** Position of the one that replaced it. */
  by?: number;
}

export const fakeTold: Told[] = [
  { agent: 'main', tag: 'B', text: 'Never accept an order over 40 pieces without asking me', rule: 'en-never', daysAgo: 12, scope: 'all', again: 2, pinned: true, message: 'Two shops asked at once. Never accept an order over 40 pieces without asking me, not even from Lyon.' },
  { agent: 'main', tag: 'O', text: '我对花生过敏', rule: 'zh-allergic', daysAgo: 31, pinned: true, message: '午饭随便点，不过我对花生过敏，别的都行。' },
  { agent: 'main', tag: 'O', text: 'Lead time for celadon is four weeks', rule: 'en-have', daysAgo: 40 },
  { agent: 'shop', tag: 'W', text: '日报早上八点发', rule: 'zh-standing', daysAgo: 20, by: 4 },
  { agent: 'shop', tag: 'W', text: '日报挪到早上七点半', rule: 'zh-change', daysAgo: 6, message: '最近开窑早，日报挪到早上七点半吧，八点太晚了。' },
  { agent: 'shop', tag: 'B', text: '别半夜推东西给我', rule: 'zh-never', daysAgo: 4, speaker: 'contact', name: '林姐', channel: 'wechat', scope: 'contact', message: '发货我早上看，别半夜推东西给我😴。' },
  { agent: 'mail', tag: 'W', text: 'Always send the tracking number to both of us', rule: 'en-always', daysAgo: 9, speaker: 'contact', name: 'Mme Aubert', channel: 'telegram', chat: 'Kiln owners', scope: 'contact' },
  { agent: 'mail', tag: 'B', text: 'never call before ten', rule: 'en-never', daysAgo: 9.1, speaker: 'unknown', channel: 'telegram', chat: 'Kiln owners', message: 'and for all who organise this: never call before ten. I mean it.' },
  { agent: 'main', tag: 'O', text: 'this week I’m in Lisbon', rule: 'en-away', daysAgo: 16, days: 5 },
  { agent: 'main', tag: 'O', text: '今天只看架构相关的内容', rule: 'zh-for-now', daysAgo: 3, days: 1 },
  { agent: 'books', tag: 'B', text: 'Copy the accountant on every invoice over €500', rule: 'en-each', daysAgo: 18, scope: 'all', again: 1 },
  { agent: 'books', tag: 'W', text: 'Amounts with two decimals and a thin space, such as 1 204,00 €', rule: 'en-style', daysAgo: 18.2 },
  { agent: 'main', tag: 'W', text: '用中文回复我，技术名词保留英文', rule: 'zh-talk', daysAgo: 44, scope: 'all', again: 4 },
  { agent: 'mail', tag: 'B', text: 'Don’t share the Lyon address with couriers before payment', rule: 'en-dont', daysAgo: 2, scope: 'all' },
  { agent: 'mail', tag: 'O', text: 'Mme Aubert pays by transfer, 30 days', rule: 'en-he', daysAgo: 2.1 },
  { agent: 'shop', tag: 'O', text: '顺丰走对公账户，月底统一结算', rule: 'zh-biz', daysAgo: 11 },
  { agent: 'shop', tag: 'B', text: '易碎件一律加一层瓦楞纸，不许省', rule: 'zh-must', daysAgo: 8, again: 1 },
  { agent: 'main', tag: 'W', text: '長一點的回覆請分段', rule: 'zh-style', daysAgo: 27 },
  { agent: 'main', tag: 'W', text: '返信は短くお願いします', rule: 'ja-taste', daysAgo: 33 },
  { agent: 'books', tag: 'O', text: 'The studio’s VAT number is the one on the letterhead', rule: '', daysAgo: 5, byHand: true },
  { agent: 'main', tag: 'W', text: 'When I send a photograph of a tile, first tell me what you see on it, then what it may mean for the glaze, and only then what you would change in the recipe; never change the recipe file yourself, and keep the numbers of the firing as they are written on the sheet', rule: 'en-when-you', daysAgo: 7 },
];
