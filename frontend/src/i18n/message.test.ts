import { describe, expect, it } from 'vitest';
import { fill, placeholders } from './message';

describe('fill', () => {
  it.each([
    ['plain', {}, 'plain'],
    ['{n} calls', { n: 1234 }, '1,234 calls'],
    ['{a} and {b}', { a: 'x', b: '{a}' }, 'x and {a}'],
    ['{missing}', {}, '{missing}'],
  ])('%s', (message, params, want) => {
    expect(fill(message, params, 'en')).toBe(want);
  });

  it('chooses the form by n', () => {
    const message = { one: '{n} call', other: '{n} calls' };
    expect(fill(message, { n: 0 }, 'en')).toBe('0 calls');
    expect(fill(message, { n: 1 }, 'en')).toBe('1 call');
    expect(fill(message, { n: 2 }, 'en')).toBe('2 calls');
    expect(fill(message, {}, 'en')).toBe('{n} calls');
    expect(fill(message, { n: 1 }, 'zh')).toBe('1 calls');
  });

  it('lists the names of all forms', () => {
    expect(placeholders({ one: '{b} one', other: '{n} {b}' })).toEqual(['b', 'n']);
  });
});
