import { describe, expect, it } from 'vitest';
import { markIn } from './marks';
import { piecesOf, wordsAt } from './points';
import { textOf, type Safe } from './sanitise';

const span = (text: string, words: string, from = 0): { id: string; start: number; end: number } => {
  const points = [...text];
  const wanted = [...words];
  const start = points.findIndex((_, i) => i >= from && wanted.every((w, n) => points[i + n] === w));
  return { id: words, start, end: start + wanted.length };
};

describe('piecesOf', () => {
  it('cuts behind characters outside the basic plane', () => {
    const text = '🏺🔥 always short，𠮷田 never 😀!';
    const spans = [span(text, 'always short'), span(text, '𠮷田 never')];
    expect(piecesOf(text, spans).map((p) => [p.text, p.span?.id ?? ''])).toEqual([['🏺🔥 ', ''], ['always short', 'always short'], ['，', ''], ['𠮷田 never', '𠮷田 never'], [' 😀!', '']]);
  });

  it('keeps the whole text whatever the spans are', () => {
    const text = 'a😀b釉料c';
    const bad = [[-1, 2], [2, 2], [3, 1], [0, 99], [0, 3], [2, 5], [1, 2]].map(([start = 0, end = 0]) => ({ start, end }));
    const pieces = piecesOf(text, bad);
    expect(pieces.map((p) => p.text).join('')).toBe(text);
    expect(pieces.map((p) => [p.text, p.span?.start ?? null])).toEqual([['a😀b', 0], ['釉料', 2], ['c', null]]);
  });

  it('gives one piece without spans, none without text', () => {
    expect(piecesOf('x', [])).toEqual([{ text: 'x', span: null }]);
    expect(piecesOf('', [])).toEqual([]);
    expect(wordsAt('x', { start: 0, end: 2 })).toBe('');
  });
});

describe('markIn', () => {
  const text = '🏺 Quote prices **without VAT**, and never\nbefore I `saw` them. never again';
  const nodes: Safe[] = [{ tag: 'p', children: ['🏺 Quote prices ', { tag: 'strong', children: ['without VAT'] }, ', and never', { tag: 'br', children: [] }, 'before I ', { tag: 'code', children: ['saw'] }, ' them. never again'] }];
  const marks = (of: readonly Safe<{ id: string }>[]): [string, string][] =>
    of.flatMap((n): [string, string][] => (typeof n === 'string' ? [] : 'mark' in n ? [[n.mark.id, textOf(n.children)]] : marks(n.children)));

  it('finds what Markdown has taken apart, and keeps the text', () => {
    const spans = [span(text, 'Quote prices **without VAT**'), span(text, 'never\nbefore I `saw` them')];
    const found = markIn(nodes, text, spans);
    expect(found.missing).toEqual([]);
    expect(textOf(found.nodes)).toBe(textOf(nodes));
    expect(marks(found.nodes).map(([, words]) => words)).toEqual(['Quote prices ', 'without VAT', 'never', 'before I ', 'saw', ' them']);
  });

  it('says which marks go on from another', () => {
    const found = markIn(nodes, text, [span(text, 'Quote prices **without VAT**, and'), span(text, 'them')]);
    const more = (of: readonly Safe<unknown>[]): boolean[] => of.flatMap((n) => (typeof n === 'string' ? [] : 'mark' in n ? [n.more] : more(n.children)));
    expect(more(found.nodes)).toEqual([false, true, true, false]);
  });

  it('takes the second of two that read alike where the first is taken', () => {
    const found = markIn(nodes, text, [span(text, 'never'), span(text, 'never', 50)]);
    expect(marks(found.nodes).map(([, words]) => words)).toEqual(['never', 'never']);
  });

  it('says what it does not find', () => {
    const other = 'something that was never rendered';
    const lost = span(other, 'something');
    expect(markIn(nodes, other, [lost, { id: 'bad', start: 5, end: 900 }])).toMatchObject({ missing: [lost, { id: 'bad' }] });
  });

  it('is quick on long texts that nearly match', () => {
    const long = 'a'.repeat(20_000);
    const began = performance.now();
    expect(markIn([long], `${'a'.repeat(400)}b`, [{ start: 0, end: 401 }]).missing.length).toBe(1);
    expect(performance.now() - began).toBeLessThan(2000);
  });
});
