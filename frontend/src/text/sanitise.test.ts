// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import { sanitise, textOf, type Safe } from './sanitise';

const clean = (html: string): Safe[] => sanitise(html, (alt) => `[image ${alt}]`);

/** Everything that could do harm if it got through. */
function harmful(nodes: Safe[]): string[] {
  return nodes.flatMap((n) => {
    if (typeof n === 'string') return [];
    const allowed = 'link' in n ? ['link', 'children'] : ['tag', 'start', 'children'];
    const found = Object.keys(n).filter((k) => !allowed.includes(k));
    if ('link' in n && !/^(https?:\/\/|mailto:)/.test(n.link)) found.push(n.link);
    if ('tag' in n && (typeof n.tag !== 'string' || !/^[a-z]+$/.test(n.tag))) found.push(String(n.tag));
    return [...found, ...harmful(n.children)];
  });
}

describe('what is kept', () => {
  it('keeps the structure that markdown makes', () => {
    expect(clean('<h2>T</h2><p>a <b>b</b> <i>c</i> <code>d</code><br>e</p><ol start="3"><li>x</li></ol>')).toEqual([
      { tag: 'h', children: ['T'] },
      { tag: 'p', children: ['a ', { tag: 'strong', children: ['b'] }, ' ', { tag: 'em', children: ['c'] }, ' ', { tag: 'code', children: ['d'] }, { tag: 'br', children: [] }, 'e'] },
      { tag: 'ol', start: 3, children: [{ tag: 'li', children: ['x'] }] },
    ]);
  });
  it('keeps tables and code as they are', () => {
    expect(textOf(clean('<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>b</td></tr></tbody></table><pre><code>x &lt;b&gt;</code></pre>'))).toBe('abx <b>');
  });
  it('shows a link as its words and its address', () => {
    expect(clean('<a href="https://example.org/a?b=1" target="_blank" onclick="x()">words</a>')).toEqual([{ link: 'https://example.org/a?b=1', children: ['words'] }]);
  });
  it('loads no image and says what it was', () => {
    expect(clean('<p>a<img src="https://example.org/pixel.gif" alt="chart">b</p>')).toEqual([{ tag: 'p', children: ['a[image chart]b'] }]);
  });
});

describe('texts', () => {
  it.each([
    ['<p>once = 1, style = "x"</p>', 'once = 1, style = "x"'],
    ['<p>&lt;b onclick=x&gt;</p>', '<b onclick=x>'],
    ['<a href="https://example.org/?onload=1">w</a>', 'w'],
  ])('%s stays as it is', (html, want) => expect(textOf(clean(html))).toBe(want));
  it('an address keeps what looks like a handler', () => {
    expect(clean('<a href="https://example.org/?a onload=1&amp;style=2">w</a>')).toEqual([{ link: 'https://example.org/?a%20onload=1&style=2', children: ['w'] }]);
  });
});

describe('attacks', () => {
  it.each([
    '<script>alert(1)</script>', '<ScRiPt src=//x></sCrIpT>', '<img src=x onerror=alert(1)>', '<svg onload=alert(1)><script>alert(1)</script></svg>',
    '<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>', '<math><mi xlink:href="data:x,<script>alert(1)</script>">x</mi></math>',
    '<iframe src="javascript:alert(1)"></iframe>', '<iframe srcdoc="<script>alert(1)</script>"></iframe>', '<object data="javascript:alert(1)"></object>',
    '<embed src="x">', '<link rel=stylesheet href=//x>', '<meta http-equiv=refresh content="0;url=//x">', '<base href="//x">',
    '<style>*{background:url(//x)}</style>', '<div style="background:url(//x)">a</div>', '<form action="//x"><button formaction="//x">b</button></form>',
    '<input autofocus onfocus=alert(1)>', '<details open ontoggle=alert(1)>d</details>', '<video><source onerror=alert(1)></video>',
    '<a href="javascript:alert(1)">a</a>', '<a href=" java\nscript:alert(1)">a</a>', '<a href="JaVaScRiPt:alert(1)">a</a>', '<a href="&#106;avascript:alert(1)">a</a>',
    '<a href="data:text/html,<script>alert(1)</script>">a</a>', '<a href="vbscript:x">a</a>', '<a href="file:///etc/passwd">a</a>', '<a href="blob:http://127.0.0.1/x">a</a>',
    '<a href="//evil.example">a</a>', '<a href="/api/rebuild">a</a>', '<a href="?k=1">a</a>', '<a href="https://bank.example@evil.example/">a</a>', '<a href>a</a>',
    '<noscript><p title="</noscript><img src=x onerror=alert(1)>">', '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>',
    '<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">', '<template><script>alert(1)</script></template>', '<!--<img src="--><img src=x onerror=alert(1)//">',
    '<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>', '<xmp><script>alert(1)</script></xmp>', '<plaintext><script>alert(1)</script>',
    '<p id="app" class="x" data-theme="dark" slot=s part=p is=x>a</p>', '<x-custom onclick=alert(1)>a</x-custom>', '<body onload=alert(1)>', '<frameset onload=alert(1)>',
  ])('%s', (html) => {
    const out = clean(html);
    expect(harmful(out)).toEqual([]);
    expect(JSON.stringify(out)).not.toMatch(/javascript:|vbscript:|"data:|onerror=alert\(1\)>"|evil\.example/i);
    expect(textOf(out)).not.toContain('alert(1)</');
  });

  it('does not overflow on deep nesting and keeps the text', () => {
    expect(textOf(clean('<blockquote>'.repeat(400) + 'deep' + '</blockquote>'.repeat(400)))).toBe('deep');
  });

  it('takes no name of a property of objects for a tag', () => {
    expect(clean('<constructor>a</constructor><tostring>b</tostring>c')).toEqual(['abc']);
  });
});
