import { describe, expect, it } from 'vitest';
import { bytes, compact, count, percent } from './number';

describe('compact', () => {
  it.each([
    [0, '0'], [7, '7'], [950, '950'], [999, '999'], [999.4, '999'], [999.6, '1k'], [1000, '1k'], [1234, '1.23k'],
    [9994, '9.99k'], [9996, '10k'], [61_200, '61.2k'], [99_940, '99.9k'], [99_960, '100k'], [178_412, '178k'],
    [200_000, '200k'], [999_499, '999k'], [999_500, '1M'], [1_240_000, '1.24M'], [52_600_000, '52.6M'], [3e9, '3B'], [-1500, '−1.5k'],
  ])('%d is %s', (n, want) => expect(compact(n)).toBe(want));

  it('never has more than three digits and never shrinks', () => {
    let before = 0;
    for (let n = 1; n < 1e10; n = Math.ceil(n * 1.07)) {
      const text = compact(n);
      expect(text.replace(/\D/g, '').length, text).toBeLessThanOrEqual(3);
      const value = Number.parseFloat(text) * ({ k: 1e3, M: 1e6, B: 1e9 }[text.slice(-1)] ?? 1);
      expect(value).toBeGreaterThanOrEqual(before);
      before = value;
    }
  });
});

describe('other numbers', () => {
  it('count by language', () => {
    expect(count(1234567, 'en')).toBe('1,234,567');
    expect(count(1234567, 'zh')).toBe('1,234,567');
  });
  it.each([[0, '0%'], [0.001, '<1%'], [0.31, '31%'], [1.05, '105%']])('share %d is %s', (n, want) => expect(percent(n, 'en')).toBe(want));
  it.each([
    [0, '0 B'], [512, '512 B'], [999, '999 B'], [1000, '1 KB'], [6100, '6.1 KB'], [355_000, '355 KB'], [363_520, '364 KB'],
    [999_600, '1 MB'], [1_200_000, '1.2 MB'], [1.1e9, '1.1 GB'],
  ])('%d bytes are %s', (n, want) => expect(bytes(n)).toBe(want));
});
