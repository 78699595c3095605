import { describe, expect, it } from 'vitest';
import * as enParts from './en/parts';
import { en } from './en';
import { placeholders, type Message } from './message';
import { zh } from './zh';

const english: Record<string, Message> = en;
const chinese: Record<string, Message> = zh;

/** The texts of a catalogue that a rule forbids, with their keys. */
function breaking(catalogue: Record<string, Message>, rule: RegExp): string[] {
  return Object.entries(catalogue)
    .filter(([, m]) => (typeof m === 'string' ? [m] : Object.values(m)).some((text) => rule.test(text)))
    .map(([key, m]) => `${key}: ${JSON.stringify(m)}`);
}

describe('the catalogues', () => {
  it('have the same keys', () => {
    expect(Object.keys(chinese).toSorted()).toEqual(Object.keys(english).toSorted());
  });

  it('have the same placeholders', () => {
    const names = (c: Record<string, Message>): Record<string, string[]> =>
      Object.fromEntries(Object.entries(c).map(([key, m]) => [key, placeholders(m)]));
    expect(names(chinese)).toEqual(names(english));
  });

  it('have no key in two parts, of which the later would win', () => {
    const keys = Object.values(enParts).flatMap((part) => Object.keys(part));
    expect(keys.toSorted()).toEqual([...new Set(keys)].toSorted());
  });

  it('have no empty text', () => {
    expect(breaking(english, /^\s*$/)).toEqual([]);
    expect(breaking(chinese, /^\s*$/)).toEqual([]);
  });
});

describe('the words', () => {
  it.each([
    ['polite forms', /您|请/],
    ['exclamation', /[!！]/],
    ['western punctuation after Chinese', /\p{Script=Han}[,;:?.](\s|$)/u],
    ['other quotes than “ ”', /["「」『』]/],
    ['other words than those of the table', /代理|聊天|紧缩|上下文窗口|费用|后台运行/],
  ])('Chinese has no %s', (_name, rule) => expect(breaking(chinese, rule)).toEqual([]));

  it.each([
    ['exclamation', /!/],
    ['straight quotes', /["']/],
    ['chatter', /oops|sorry|please|something went wrong/i],
  ])('English has no %s', (_name, rule) => expect(breaking(english, rule)).toEqual([]));
});

describe('the sources', () => {
  const files = import.meta.glob<string>(['../**/*.{ts,svelte}', '!../i18n/{en,zh}/**', '!../**/*.test.ts'], { query: '?raw', import: 'default', eager: true });
  const text = Object.values(files).join('\n');

  it('use every message', () => {
    // A key is named whole, or begins with what stands before ${ in a template.
    const beginnings = [...text.matchAll(/`([a-z][\w.]*\.)\$\{/gi)].map((m) => m[1] ?? '');
    const unused = Object.keys(english).filter((k) => !text.includes(`'${k}'`) && !beginnings.some((b) => k.startsWith(b)));
    expect(unused).toEqual([]);
  });

  it('have no style attribute: the policy of the server forbids it', () => {
    const bad = Object.entries(files).filter(([name, source]) => name.endsWith('.svelte') && /\sstyle(:[\w-]+)?=|\{@html/.test(source.replace(/<style>[^]*<\/style>/, '')));
    expect(bad.map(([name]) => name)).toEqual([]);
  });
});
