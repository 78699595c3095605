import { describe, expect, it } from 'vitest';
import { preview } from './preview';

describe('preview', () => {
  it.each([['', ''], ['  a\n\n b\t', 'a b'], ['x'.repeat(160), 'x'.repeat(160)], ['x'.repeat(161), 'x'.repeat(159) + '…']])('%j', (text, want) => expect(preview(text)).toBe(want));
  it('does not cut a character in two', () => {
    expect(preview('x'.repeat(159) + '😀😀')).not.toMatch(/[\ud800-\udfff](?![\udc00-\udfff])/);
  });
});
