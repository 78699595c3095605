import { describe, expect, it } from 'vitest';
import { amountOf, spend, usd } from './money';

describe('usd', () => {
  it.each([
    [0, '$0.00'], [81.4, '$81.40'], [4.125, '$4.13'], [0.5, '$0.50'], [0.1, '$0.10'], [0.0423, '$0.042'], [0.0042, '$0.0042'],
    [0.00002, '$0.00002'], [0.000001, '$0.000001'], [1204.5, '$1,204.50'], [12_345.67, '$12,346'], [-2, '−$2.00'],
  ])('%d is %s', (n, want) => {
    expect(usd(n, 'en')).toBe(want);
    expect(usd(n, 'zh')).toBe(want);
  });

  it('never shows something as nothing', () => {
    for (let n = 100; n > 1e-9; n /= 1.7) expect(usd(n, 'en')).toMatch(/[1-9]/);
  });
});

describe('spend', () => {
  it('is known where every call has a price, zero included', () => {
    expect(spend(0, 0)).toEqual({ kind: 'known', usd: 0 });
    expect(spend(3, 0)).toEqual({ kind: 'known', usd: 3 });
  });
  it('is a lower bound where some have none', () => {
    expect(spend(3, 2)).toEqual({ kind: 'atLeast', usd: 3, unpriced: 2 });
  });
  it('is unknown where nothing was priced, and never 0', () => {
    expect(spend(0, 9)).toEqual({ kind: 'unknown', unpriced: 9 });
  });
});

describe('amountOf', () => {
  it.each([
    ['4', 4], ['4.50', 4.5], [' $4 ', 4], ['US$ 4', 4], ['4,5', 4.5], ['', 0], ['0', 0], ['１２', 12],
    ['-1', null], ['1e9', null], ['four', null], ['4 or 5', null], ['99999999', null], ['.', null],
  ])('%j is %s', (text, want) => expect(amountOf(text)).toBe(want));
});
