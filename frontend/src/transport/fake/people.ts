// Invented agents, titles and texts.

export interface FakeAgent {
  id: string;
  name: string;
  model: string;
  /** Dollars a million tokens of input; null where the price is not known. */
  price: number | null;
  source: 'recorded' | 'table' | 'local' | 'unknown';
  window: number | null;
  windowSource: string;
}

export const fakeAgents: FakeAgent[] = [
  { id: 'main', name: 'main', model: 'anthropic/claude-opus-4-6', price: 5, source: 'recorded', window: 200_000, windowSource: 'session' },
  { id: 'mail', name: 'mail', model: 'anthropic/claude-sonnet-4-6', price: 3, source: 'table', window: 200_000, windowSource: 'table' },
  { id: 'books', name: 'books', model: 'ollama/qwen3:14b', price: 0, source: 'local', window: 32_768, windowSource: 'num_ctx' },
  { id: 'shop', name: '店铺', model: 'deepseek/deepseek-v3.2', price: null, source: 'unknown', window: null, windowSource: '' },
];

/** Sessions that have a title: agent, title, days ago, hours, calls, share of background. */
export const fakeSessions: [string, string, number, number, number, number][] = [
  ['mail', 'Glaze order and supplier mail', 0, 15, 139, 0.4],
  ['main', 'Christmas catalogue', 8, 6, 96, 0.02],
  ['main', 'Kiln schedule for December, with the two long firings and the delivery to Lyon in between', 1, 3, 41, 0.1],
  ['mail', 'Nightly stock check', 15, 9, 96, 1],
  ['shop', '十一月进货与对账', 2, 5, 38, 0.2],
  ['shop', '发货：易碎件包装', 9, 2, 22, 0],
  ['books', 'Invoices over €500', 3, 2, 30, 0],
  ['books', 'Quarterly figures', 21, 4, 44, 0.1],
  ['main', '', 26, 1, 12, 0],
  ['mail', 'Reply to Mme Aubert', 5, 2, 18, 0],
  ['main', 'Delivery to Lyon', 0, 4, 88, 0.15],
];

/** What is said, in turn. A text that starts with < is shown as HTML. */
export const fakeLines: [string, string][] = [
  ['user', 'The buyer from Lyon writes at odd hours. Don’t push me anything after midnight, whatever she sends. Answer her in French.'],
  ['tool:gmail.search', '14 messages\nRe: glaze samples, second firing. Bonjour, je voulais savoir si les échantillons sont partis, car notre client …'],
  ['assistant', 'Understood. I will hold everything that arrives after midnight until you are up, and draft my replies to Mme Aubert in French.'],
  ['tool:gmail.draft', '1 draft\nChère Madame, merci pour vos photos de l’émail céladon. La seconde cuisson …'],
  ['user', '🏺🔥 Weekly report: three bullet points, no tables. Put the kiln costs last.'],
  ['assistant', '<p>Three bullets, kiln costs last. I will use that form <strong>from Friday</strong> on:</p><ul><li>orders</li><li>mail that waits</li><li>kiln costs</li></ul><p>The source is <a href="https://example.org/glaze?batch=7">the glaze sheet</a>.</p>'],
  ['user', 'Lead time for celadon is six weeks now, not four.'],
  ['user', '<p>From now on quote prices <strong>without VAT</strong>, rounded to ten euro.</p>'],
  ['tool:browser.read', 'error: the page did not answer within 30 s'],
  ['assistant', '<h3>Lead times</h3><table><thead><tr><th>glaze</th><th>weeks</th></tr></thead><tbody><tr><td>celadon</td><td>6</td></tr><tr><td>tenmoku</td><td>3</td></tr></tbody></table><pre><code>lead(celadon) = 6 * week</code></pre>'],
  ['user', '釉料供应商 12 月 2 日到 9 日停工，期间不要催单。'],
  ['assistant', '好，12 月 2 日到 9 日不催单，10 日早上提醒你。'],
  ['tool:exec', 'total 48\ndrwxr-xr-x  2 anna anna 4096 Nov 29 18:02 catalogue\n-rw-r--r--  1 anna anna 9210 Nov 29 18:04 glaze.csv'],
];

/** HTML as an attacker would write it, as if the server had let it through. */
export const fakeAttack =
  '<p>Summary of the page:</p><script>window.pwned = 1</script><img src="https://evil.example/pixel.gif" alt="a chart" onerror="window.pwned = 1">' +
  '<p onclick="window.pwned = 1">Read <a href="javascript:window.pwned=1">this</a>, or <a href="https://evil.example/x">https://bank.example/</a>.</p>' +
  '<iframe src="https://evil.example"></iframe><svg onload="window.pwned = 1"></svg>';
