import { describe, expect, it } from 'vitest';
import { askFor, pageSize, pagesOf } from './pages';
import { preview } from './preview';

describe('pages', () => {
  it('asks for the newest page from the end', () => {
    expect(askFor(null)).toEqual({ offset: -pageSize, limit: pageSize });
    expect(askFor(400)).toEqual({ offset: 400, limit: pageSize });
  });
  it.each([
    ['one page', 0, 40, 40, { first: 1, last: 40, newest: null, newer: null, older: null, oldest: null }],
    ['nothing', 0, 0, 0, { first: 0, last: 0, newest: null, newer: null, older: null, oldest: null }],
    ['the newest', 232, 200, 432, { first: 233, last: 432, newest: null, newer: null, older: 32, oldest: 0 }],
    ['the middle', 32, 200, 632, { first: 33, last: 232, newest: 'end', newer: 232, older: 0, oldest: 0 }],
    ['the last but one', 32, 200, 432, { newer: 'end', older: 0 }],
    ['the oldest', 0, 200, 1432, { first: 1, newest: 'end', newer: 200, older: null, oldest: null }],
  ])('%s', (_name, from, count, total, want) => expect(pagesOf(from, count, total)).toMatchObject(want));

  it('older and newer together reach every entry', () => {
    for (const total of [1, 199, 200, 201, 777]) {
      const seen = new Set<number>();
      let from: number | null = Math.max(0, total - pageSize);
      while (from !== null) {
        const count = Math.min(pageSize, total - from);
        for (let i = from; i < from + count; i++) seen.add(i);
        from = pagesOf(from, count, total).older;
      }
      expect(seen.size).toBe(total);
    }
  });
});

describe('preview', () => {
  it.each([['', ''], ['  a\n\n b\t', 'a b'], ['x'.repeat(160), 'x'.repeat(160)], ['x'.repeat(161), 'x'.repeat(159) + '…']])('%j', (text, want) => expect(preview(text)).toBe(want));
  it('does not cut a character in two', () => {
    expect(preview('x'.repeat(159) + '😀😀')).not.toMatch(/[\ud800-\udfff](?![\udc00-\udfff])/);
  });
});
